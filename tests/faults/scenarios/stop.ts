import { once } from 'node:events'
import type { Run } from '#src/runs/run.ts'
import { Outside } from '#tests/support/kills/outside.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { until } from '#tests/support/until.ts'
import { Fleet } from '../fleet.ts'
import { both, storeEnv, verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { most, none, type Figures } from '../verdict.ts'
import { pages, Writers } from '../writers.ts'

const drainSeconds = 2
const runsARound = 20
const someWrites = 30

/** Stops processes one after the other as a balancer would have it, under writes and runs. */
async function stopped({ kind, isShort }: Terms): Promise<Figures> {
  const place = await kind.newPlace()
  const asked = new Map<string, number>()
  const outside = new Outside(2000, ({ id }) => {
    asked.set(id, (asked.get(id) ?? 0) + 1)
    return { status: 200, text: 'done' }
  })
  await outside.listen()
  const fleet = new Fleet(place.folder, {
    ...storeEnv(place),
    ABODE_DRAIN_SECONDS: String(drainSeconds),
    ABODE_OUTBOUND_ALLOW: outside.url,
  })
  const took: number[] = []
  let exits = 0
  try {
    await fleet.start(2)
    const urls = (): string[] => fleet.urls()
    const key = await newKey(urls()[0] ?? '')
    const post = <T>(path: string, body: object) =>
      call<T>(urls().at(-1) ?? '', 'POST', path, key, body)
    const task = { task_id: 'call', name: 'Call', runtime: 'api', api_url: outside.url }
    await post('/api/characters/', { id: 'caller', name: 'Caller', heart: { tasks: [task] } })
    const writers = new Writers({ urls, key, count: 8 })
    for (let round = 0; round < (isShort ? 1 : 6); round += 1) {
      await writers.acknowledged.reaches(writers.acknowledged.count + someWrites)
      const asks = outside.asks.count
      for (let run = 0; run < runsARound; run += 1) {
        await post('/api/characters/caller/tasks/call/run', {})
      }
      await outside.asks.reaches(asks + 1)
      const member = round % 2
      const { url, child } = fleet.member(member)
      const ended = once(child, 'exit')
      const begun = performance.now()
      child.kill('SIGTERM')
      // A balancer looks at this, and sends no more.
      await until(async () => (await fetch(`${url}/readyz`)).status === 503, { pauseMs: 20 })
      fleet.release(member)
      await ended
      took.push(performance.now() - begun)
      if (child.exitCode !== 0) exits += 1
      await fleet.replace(member)
    }
    await writers.stop()
    let runs: Run[] = []
    await until(
      async () => {
        runs = await pages<Run>(urls()[0] ?? '', key, '/api/runs')
        return runs.every((run) => run.finished_at !== null)
      },
      { seconds: 120, pauseMs: 200 },
    )
    const figures = {
      stops: took.length,
      ...(await writers.figures()),
      runs: runs.length,
      runs_failed: runs.filter((run) => run.status !== 'completed').length,
      effects_beyond_attempts: runs.filter((run) => (asked.get(run.id) ?? 0) > run.attempt).length,
      exit_ms: Math.max(...took),
      exits_failed: exits,
    }
    await fleet.end()
    return { ...figures, verify_faults: await verifyFaults(place) }
  } finally {
    await fleet.end()
    outside.close()
    await place.remove()
  }
}

export const stopScenario: Scenario = {
  name: 'stop',
  what: 'processes stopped in turn under load, behind what looks at /readyz',
  stores: both,
  goals: [
    ...['lost', 'doubled', 'stale', 'failed', 'cut', 'runs_failed'].map(none),
    none('effects_beyond_attempts'),
    none('exits_failed'),
    most('exit_ms', drainSeconds * 1000 + 10_000),
    none('verify_faults'),
  ],
  play: stopped,
}
