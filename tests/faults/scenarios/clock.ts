import { setTimeout as pause } from 'node:timers/promises'
import { MovedClock } from '#tests/support/clocks/moved.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { Fleet } from '../fleet.ts'
import { Hours } from '../hours.ts'
import { both, storeEnv, verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { least, type Figures } from '../verdict.ts'
import { Writers } from '../writers.ts'
import { nothingLost } from './kill.ts'

const hourMs = 3_600_000
/** In such a time a schedule that fired twice would have done so. */
const lookMs = 3000

interface Leased {
  run: { id: string }
  lease_token: string
}

/** Puts the wall clock of two processes forward and back, under writes, schedules and a run that an agent holds. */
async function jumped({ kind, isShort }: Terms): Promise<Figures> {
  const place = await kind.newPlace()
  const clock = new MovedClock(place.folder)
  const fleet = new Fleet(place.folder, { ...storeEnv(place), ...clock.env })
  try {
    await fleet.start(2)
    const urls = (): string[] => fleet.urls()
    const url = urls()[0] ?? ''
    const key = await newKey(url)
    const hours = new Hours(clock, key, urls, 4)
    await hours.begin()
    const post = <T>(path: string, body: object) => call<T>(url, 'POST', path, key, body)
    const task = { task_id: 'think', name: 'Think', prompt: 'Think.' }
    await post('/api/characters/', { id: 'thinker', name: 'Thinker', heart: { tasks: [task] } })
    await post('/api/characters/thinker/tasks/think/run', {})
    const lease = await post<Leased>('/api/runs/lease', {})
    const writers = new Writers({ urls, key, count: 4 })
    for (let round = 0; round < (isShort ? 1 : 5); round += 1) {
      await hours.pass()
      await hours.pass()
      clock.move(-hourMs)
      await pause(lookMs)
      // The hour that was before, which has fired.
      await hours.pass()
      await pause(lookMs)
      await hours.pass()
    }
    await writers.stop()
    const done = { lease_token: lease.lease_token, output: 'thought' }
    const ended = await post<{ status: string; attempt: number }>(
      `/api/runs/${lease.run.id}/complete`,
      done,
    )
    const isKept = ended.status === 'completed' && ended.attempt === 1
    const figures = { ...(await writers.figures()), ...(await hours.figures()) }
    await fleet.end()
    return { ...figures, leases_kept: isKept ? 1 : 0, verify_faults: await verifyFaults(place) }
  } finally {
    await fleet.end()
    await place.remove()
  }
}

export const clockScenario: Scenario = {
  name: 'clock',
  what: 'the wall clock of two processes put an hour forward, and back',
  stores: both,
  goals: [...nothingLost, least('leases_kept', 1), least('slots_once', 8)],
  play: jumped,
}
