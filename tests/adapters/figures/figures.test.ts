import { describe, expect, test, vi } from 'vitest'
import { backlogFigures } from '#adapters/compose/figures/backlogs.ts'
import type { Looked } from '#adapters/compose/figures/look.ts'
import { placeFigures } from '#adapters/compose/figures/places.ts'
import { runFigures } from '#adapters/compose/figures/runs.ts'
import { countedModels } from '#adapters/metrics/counted-models.ts'
import { openMetrics } from '#adapters/metrics/metrics.ts'
import { timedStore } from '#adapters/metrics/timed-store.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { ModelFailure } from '#src/ports/model.ts'
import { Unavailable, Unmet } from '#src/ports/store.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { stores } from '#tests/support/stores.ts'
import { serving } from '../serve.ts'

const now = new Date('2030-05-01T12:00:00.000Z')
const minutesAgo = (minutes: number): string =>
  new Date(now.getTime() - minutes * 60_000).toISOString()

/** As much of a run as figures look at. */
function run(id: string, members: Partial<StoredRun>): StoredRun {
  const at = { due_at: minutesAgo(1), created_at: minutesAgo(9) }
  const waits = { status: 'queued', reason: null, waits_for: 'worker', runtime: 'api' } as const
  return { id, owner_id: 'acc_a', ...at, ...waits, ...members } as StoredRun
}

const runs = [
  run('run_1', {}),
  run('run_2', { due_at: minutesAgo(3), runtime: 'shell' }),
  run('run_3', { waits_for: 'room', reason: 'concurrency', due_at: minutesAgo(2) }),
  run('run_4', { waits_for: 'brain', reason: 'waiting_for_worker', due_at: minutesAgo(-600) }),
  run('run_5', { waits_for: 'brain', reason: 'a caller could say anything', runtime: 'made up' }),
  run('run_6', { status: 'running', due_at: minutesAgo(-1) }),
  run('run_7', { status: 'waiting_approval', waits_for: 'approval', due_at: null }),
  run('run_8', { status: 'completed', waits_for: null, due_at: null }),
]

async function pageOf(opened: OpenedStore): Promise<string> {
  const metrics = await openMetrics(true)
  if (!opened.tally) throw new Error('it counts')
  const looked: Looked = { store: opened, tally: opened.tally, now }
  const looks = [runFigures(metrics), backlogFigures(metrics), placeFigures(metrics, undefined)]
  for (const look of looks) await look(looked)
  return metrics.text()
}

for (const kind of stores()) {
  test(`on ${kind.name} queues and backlogs are told by words that are known`, async () => {
    const store: OpenedStore = await kind.open()
    try {
      await store.commit(runs.map((insert) => ({ in: 'runs', insert })))
      const event = { id: 'evt_1', owner_id: 'acc_a', due_at: minutesAgo(4) } as never
      const owed = { owner_id: 'acc_a', status: 'pending' } as const
      const delivery = { ...owed, id: 'dlv_1', due_at: minutesAgo(-5) } as never
      const due = { id: 'char/task', char_id: 'char', due_at: minutesAgo(0.5) } as never
      await store.commit([
        { in: 'events', insert: event },
        { in: 'deliveries', insert: delivery },
        { in: 'tasks', insert: due },
      ])
      const lines = (await pageOf(store)).split('\n')
      const told = (name: string) => lines.filter((line) => line.startsWith(name))
      const queued = told('abode_queue_runs{').filter((line) => !line.endsWith(' 0'))
      expect(queued.toSorted()).toEqual([
        'abode_queue_runs{queue="brain",reason="other"} 1',
        'abode_queue_runs{queue="brain",reason="waiting_for_worker"} 1',
        'abode_queue_runs{queue="room",reason="concurrency"} 1',
        'abode_queue_runs{queue="worker",reason="none"} 2',
      ])
      expect(lines).toEqual(
        expect.arrayContaining([
          'abode_queue_runtime_runs{runtime="api"} 3',
          'abode_queue_runtime_runs{runtime="other"} 1',
          'abode_queue_oldest_seconds{queue="worker"} 180',
          'abode_queue_oldest_seconds{queue="brain"} 540',
          'abode_queue_oldest_seconds{queue="time"} 0',
          'abode_runs_open{with="worker"} 1',
          'abode_runs_open{with="approval"} 1',
          'abode_runs_queued 5',
          'abode_runs_waiting 3',
          'abode_runs_oldest_waiting_seconds 180',
          'abode_backlog{of="events"} 1',
          'abode_backlog_oldest_seconds{of="events"} 240',
          'abode_backlog{of="deliveries"} 1',
          'abode_backlog_oldest_seconds{of="deliveries"} 0',
          'abode_schedule_lag_seconds 30',
        ]),
      )
      expect(told('abode_store_bytes{part="data"}')[0]).toMatch(/ [1-9]\d+$/)
    } finally {
      await store.close()
    }
  })

  test(`on ${kind.name} what is counted ends at a bound`, async () => {
    const store: OpenedStore = await kind.open()
    try {
      await store.commit(runs.map((insert) => ({ in: 'runs', insert })))
      const filter = { waits_for: 'worker' } as const
      const tally = { in: 'runs', filter, by: ['status'], least: 'due_at', atMost: 2 } as const
      expect(await store.tally?.({ ...tally, sort: { due_at: 1 } })).toEqual([
        { by: ['queued'], count: 2, least: minutesAgo(3) },
      ])
    } finally {
      await store.close()
    }
  })
}

test('reading the page asks the store for nothing, and every figure is on the first', async () => {
  await using server = await serving({ ABODE_METRICS: 'on', ABODE_WORK: 'api' })
  const calls = (text: string): string[] => text.match(/^abode_store_seconds_count.*$/gm) ?? []
  const first = (await server.ask('/metrics')).text
  for (const name of ['queue_runs', 'backlog', 'schedule_lag_seconds', 'store_bytes', 'slots']) {
    expect(first).toMatch(new RegExp(`^abode_${name}(?:\\{.*\\})? `, 'm'))
  }
  expect(first).toMatch(/^abode_build_info\{version="[^"]+",node="v[^"]+"\} 1$/m)
  expect(first).toMatch(/^abode_role_processes\{role="api"\} 1$/m)
  expect(first).toMatch(/^abode_role_processes\{role="runner"\} 0$/m)
  // The first look at the store has ended with this.
  await vi.waitFor(async () => {
    const { text } = await server.ask('/metrics')
    expect(text).toMatch(/^abode_store_bytes\{part="data"\} [1-9]/m)
  })
  const second = calls((await server.ask('/metrics')).text)
  expect(calls((await server.ask('/metrics')).text)).toEqual(second)
})

describe('calls', () => {
  test('of the store are timed, and counted as errors where it fails and not where it refuses', async () => {
    const metrics = await openMetrics(true)
    const fails = (cause: Error) => () => Promise.reject(cause)
    const unknown = new Unavailable('gone', { outcomeUnknown: true })
    const store = timedStore(
      {
        runs: { pick: fails(new Unavailable('away')), get: async () => 7 },
        commit: fails(unknown),
      },
      metrics,
    )
    await expect(store.runs.pick()).rejects.toThrow('away')
    expect(await store.runs.get()).toBe(7)
    await expect(store.commit()).rejects.toThrow('gone')
    const refusing = timedStore({ commit: fails(new Unmet('runs', 0)) }, metrics)
    await expect(refusing.commit()).rejects.toThrow(Unmet)
    const page = await metrics.text()
    expect(page).toMatch(/^abode_store_seconds_count\{call="read"\} 2$/m)
    expect(page).toMatch(/^abode_store_seconds_count\{call="commit"\} 2$/m)
    expect(page).toMatch(/^abode_store_errors_total\{call="read",fault="unavailable"\} 1$/m)
    expect(page).toMatch(/^abode_store_errors_total\{call="commit",fault="outcome_unknown"\} 1$/m)
    expect(page).toMatch(/^abode_store_errors_total\{call="commit",fault="fault"\} 0$/m)
  })

  test('of models are counted with their tokens and cost, by provider and never by name', async () => {
    const metrics = await openMetrics(true)
    const usage = { input_tokens: 1000, output_tokens: 10, cached_input_tokens: 400 }
    let isUp = true
    const turn = async () => {
      if (!isUp) throw new ModelFailure('rate_limited', 'later')
      return { text: 'ok', calls: [], finish: 'stop' as const, usage }
    }
    const models = {
      defaultModel: undefined,
      embeddings: undefined,
      isConfigured: () => true,
      open: async () => ({ turn }),
      close: () => Promise.resolve(),
    }
    const prices = new Map([['openai/m-1', { input: 1_000_000, output: 2_000_000 }]])
    const counted = countedModels(models, prices, metrics)
    const opening = { system: '', prompt: '', tools: [], temperature: null, maxTokens: null }
    const terms = { answers: [], signal: new AbortController().signal, onText: async () => {} }
    const open = (own: Record<string, string>) =>
      counted.open({ provider: 'openai', model: 'm-1' }, own, opening)
    await (await open({})).turn(terms)
    await (await open({ OPENAI_BASE_URL: 'https://models.example' })).turn(terms)
    isUp = false
    await expect((await open({})).turn(terms)).rejects.toThrow('later')
    const page = await metrics.text()
    const openai = (name: string, labels = '') =>
      page.match(new RegExp(`^abode_model_${name}\\{provider="openai"${labels}\\} (.*)$`, 'm'))?.[1]
    expect(openai('calls_total', ',outcome="ok"')).toBe('2')
    expect(openai('calls_total', ',outcome="rate_limited"')).toBe('1')
    expect(openai('tokens_total', ',kind="input"')).toBe('2000')
    expect(openai('tokens_total', ',kind="cached_input"')).toBe('800')
    expect(openai('cost_dollars_total')).toBe('0.00102')
    expect(openai('calls_unpriced_total')).toBe('1')
    expect(page).not.toContain('m-1')
  })
})
