import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hasFailed, head, judge, rowsOf, type Outcome } from '#tests/faults/verdict.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { callAll } from './callers.ts'
import { Schedules } from './schedules.ts'
import { figuresOf, goals, type Seen } from './figures.ts'
import { Subject } from './subject.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
})
const minutes = Number(options.minutes)
if (!(minutes > 0)) {
  console.error('npm run soak -- [--minutes N] [--json]')
  process.exit(2)
}
/** So many looks make a fit, however short it is. */
const looks = 60

async function soak(folder: string): Promise<Seen> {
  const subject = await Subject.start(folder, {
    ABODE_RATE_LIMITS: 'off',
    ABODE_QUOTAS: 'off',
    ABODE_WARM_UP: 'on',
    ABODE_METRICS: 'on',
  })
  const { server } = subject
  const stop = new AbortController()
  try {
    const key = await newKey(server.url)
    const schedules = new Schedules(server.url, key)
    await schedules.begin(Math.max(1, Math.ceil(minutes) - 1))
    const working = callAll({ url: server.url, key, signal: stop.signal })
    const begun = performance.now()
    const samples: Seen['samples'] = []
    for (let look = 1; look <= looks; look += 1) {
      const due = begun + (look * minutes * 60_000) / looks
      await Promise.race([pause(Math.max(0, due - performance.now())), working])
      samples.push({ at: (performance.now() - begun) / 1000, ...(await subject.sample()) })
      process.stderr.write(`${look} of ${looks}: ${samples.at(-1)?.rssMb.toFixed(0)} MB\n`)
    }
    stop.abort()
    const callers = await working
    const page = await (await fetch(`${server.url}/metrics`)).text()
    const fires = await schedules.fires()
    const exit = await server.end('SIGTERM')
    return { samples, callers, page, fires, exit, lines: server.lines }
  } finally {
    stop.abort()
    await server.end('SIGKILL')
  }
}

const load = loadavg()[0]?.toFixed(1)
const folder = await mkdtemp(join(tmpdir(), 'abode-soak-'))
const begun = performance.now()
let outcome: Outcome = { name: 'soak', store: 'sqlite', seconds: 0, judged: [], figures: {} }
try {
  const seen = await soak(folder)
  const figures = figuresOf(seen)
  const faults = seen.callers.flatMap((one) => one.faults.map((fault) => `${one.name}: ${fault}`))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  outcome = { ...outcome, figures, judged: judge(goals, figures) }
} catch (cause) {
  outcome = { ...outcome, fault: String(cause) }
} finally {
  await rm(folder, { recursive: true, force: true })
}
outcome.seconds = Math.round((performance.now() - begun) / 1000)
const about = `${minutes} minutes, Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model}, load ${load} at the start and ${loadavg()[0]?.toFixed(1)} at the end`
if (options.json) console.log(JSON.stringify({ about, ...outcome }, null, 2))
else console.log([...head, ...rowsOf(outcome), '', about].join('\n'))
// Connections of clients would keep it running.
process.exit(hasFailed(outcome) ? 1 : 0)
