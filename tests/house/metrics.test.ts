import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { openMetrics } from '#adapters/metrics/metrics.ts'
import { MetricsPage } from '#adapters/metrics/page.ts'
import { endedPart, pageOf } from '#adapters/metrics/sum.ts'
import { read, sources } from './tree.ts'

const answered = { status: 200, code: 'ok' }

test('requests are counted by door, operation and outcome, and timed by door', async () => {
  const metrics = await openMetrics(true, ['completed', 'failed'])
  metrics.request('rest', 'characters.get', 0.002, answered)
  metrics.request('rest', 'characters.get', 0.002, answered)
  metrics.request('rest', 'characters.get', 0.02, { status: 404, code: 'x' })
  metrics.request('mcp', 'characters.get', 2, { status: 503, code: 'x' })
  metrics.runEnded('completed')
  metrics.purged('runs', 3)
  const page = await metrics.text()
  const lines = page.split('\n')
  const counted = (outcome: string, door = 'rest'): string =>
    `abode_requests_total{door="${door}",operation="characters.get",outcome="${outcome}"}`
  expect(lines).toContain(`${counted('ok')} 2`)
  expect(lines).toContain(`${counted('refused')} 1`)
  expect(lines).toContain(`${counted('failed', 'mcp')} 1`)
  expect(lines).toContain('abode_request_seconds_bucket{le="0.0025",door="rest"} 2')
  expect(lines).toContain('abode_request_seconds_count{door="rest"} 3')
  expect(lines).toContain('abode_runs_finished_total{status="completed"} 1')
  expect(lines).toContain('abode_runs_finished_total{status="failed"} 0')
  expect(lines).toContain('abode_request_seconds_count{door="a2a"} 0')
  const refusal = 'operation="characters.get",status="404",code="x"'
  expect(lines).toContain(`abode_refusals_total{${refusal}} 1`)
  expect(page).toContain(
    'abode_refusals_total{operation="none",status="404",code="path_not_found"} 0',
  )
  expect(lines).toContain('abode_purged_total{kind="runs"} 3')
  expect(lines).toContain('abode_purged_total{kind="messages"} 0')
  expect(page).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(metrics.contentType).toMatch(/^text\/plain; version=/)
})

test('a gauge is read with the page, and two registries do not meet', async () => {
  const [one, other] = [await openMetrics(true), await openMetrics(true)]
  let queued = 3
  one.gauge('abode_runs_queued', 'Runs that wait.', () => queued)
  other.gauge('abode_runs_queued', 'Runs that wait.', () => 7)
  expect(await one.text()).toContain('abode_runs_queued 3\n')
  queued = 4
  expect(await one.text()).toContain('abode_runs_queued 4\n')
  expect(await other.text()).toContain('abode_runs_queued 7\n')
})

test('made-up operations do not grow the page without end', async () => {
  const metrics = await openMetrics(true)
  const refusal = { status: 404, code: 'x' }
  for (let i = 0; i < 5000; i++) metrics.request('a2a', `made.up_${i}`, 0.001, refusal)
  const lines = (await metrics.text()).split('\n')
  const series = lines.filter((line) => line.startsWith('abode_requests_total{'))
  expect(series).toHaveLength(310)
  expect(series.some((line) => line.includes('operation="other"') && line.endsWith(' 4700'))).toBe(
    true,
  )
})

test('the page is what the library writes, the first time and later', async () => {
  const registry = new Registry()
  const registers = [registry]
  const labelNames = ['of'] as const
  const counter = new Counter({ name: 'a_total', help: 'A\nb\\.', labelNames, registers })
  const times = { help: 'B.', labelNames, registers, buckets: [0.1, 1] }
  const histograms = ['b', 'c'].map((name) => new Histogram({ ...times, name }))
  new Gauge({ name: 'd', help: 'D.', registers }).set(0.25)
  const page = new MetricsPage(registry)
  const shared = { of: 'shared' }
  for (let n = 1; n <= 3; n++) {
    counter.inc({ of: 'a "word"\n' }, n)
    for (const one of histograms) {
      one.observe(shared, n / 2)
      one.observe({ of: `number ${n}` }, n)
    }
    expect(await page.text()).toBe(await registry.metrics())
  }
})

test('switched off, nothing is counted and the library is not loaded', async () => {
  const script = `
    import { createRequire } from 'node:module'
    import { openMetrics } from '#adapters/metrics/metrics.ts'
    const loaded = () => Object.keys(createRequire(process.cwd() + '/x').cache)
      .some((path) => path.includes('prom-client'))
    const off = await openMetrics(false)
    off.request('rest', 'health.get', 1, { status: 200, code: 'ok' })
    off.gauge('a', 'b', () => 1)
    const seen = [await off.text(), loaded()]
    await openMetrics(true)
    console.log(JSON.stringify([...seen, loaded()]))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  expect(JSON.parse(await text(child.stdout))).toEqual(['', false, true])
})

describe('the metrics of several processes', () => {
  const parts = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => openMetrics(true)))

  test('are added up where they count, and the longest or the same where they do not', async () => {
    const all = await parts(3)
    for (const [at, metrics] of all.entries()) {
      metrics.gauge('abode_runs_queued', 'Runs that wait.', () => 7)
      metrics.request('rest', 'characters.get', 0.002, answered)
      metrics.held({ work: 'start', seconds: at, cpuSeconds: 0 })
    }
    const lines = (await pageOf(await Promise.all(all.map((one) => one.figures())))).split('\n')
    const series = 'abode_requests_total{door="rest",operation="characters.get",outcome="ok"}'
    expect(lines).toContain(`${series} 3`)
    expect(lines).toContain('abode_request_seconds_bucket{le="0.0025",door="rest"} 3')
    expect(lines).toContain('abode_request_seconds_count{door="rest"} 3')
    expect(lines).toContain('abode_loop_held_seconds_total{operation="start"} 3')
    expect(lines).toContain('abode_loop_longest_hold_seconds 2')
    expect(lines).toContain('abode_runs_queued 7')
  })

  test('have the same names as those of one', async () => {
    const [one, other] = await parts(2)
    if (!one || !other) throw new Error('two were opened')
    const names = (page: string) => new Set(page.match(/^# TYPE .*$/gm))
    const page = await pageOf([await one.figures(), await other.figures()])
    const alone = names(await one.text())
    // When a process began is no fact of several.
    alone.delete('# TYPE process_start_time_seconds gauge')
    expect(names(page)).toEqual(alone)
  })

  test('keep what ended processes have counted, and nothing that they have measured', async () => {
    const [one, other] = await parts(2)
    one?.runEnded('completed')
    other?.runEnded('completed')
    const ended = await endedPart([(await one?.figures()) ?? [], (await other?.figures()) ?? []])
    expect(ended.map(({ name }) => name)).not.toContain('process_resident_memory_bytes')
    const page = await pageOf([ended, await endedPart([ended])])
    expect(page).toContain('abode_runs_finished_total{status="completed"} 4\n')
  })
})

test('what dashboards and alerts show is measured', () => {
  const shown = ['alerts.yaml', 'dashboard.json'].map((name) => read(`examples/operating/${name}`))
  const names = new Set(shown.join('\n').match(/abode_[a-z_]+/g))
  expect(names.size).toBeGreaterThan(5)
  const measured = sources('adapters').map(read).join('\n')
  const unknown = [...names].filter(
    (name) => !measured.includes(`'${name.replace(/_bucket$/, '')}'`),
  )
  expect(unknown).toEqual([])
})
