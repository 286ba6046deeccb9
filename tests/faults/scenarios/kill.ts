import { setTimeout as pause } from 'node:timers/promises'
import { MovedClock } from '#tests/support/clocks/moved.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { Fleet } from '../fleet.ts'
import { Hours } from '../hours.ts'
import { both, storeEnv, verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { least, most, none, type Figures, type Goal } from '../verdict.ts'
import { Writers } from '../writers.ts'

/** What holds after any kill: in the words of the callers and of the store. */
export const nothingLost: readonly Goal[] = [
  none('lost'),
  none('doubled'),
  none('stale'),
  none('failed'),
  none('slots_missing'),
  none('slots_doubled'),
  none('verify_faults'),
]
const readyMs = 5000
/** The longest from the events of a kill to the kill, so that it lands anywhere among the commits. */
const longestPauseMs = 40

interface Size {
  processes: number
  kills: number
  /** Acknowledged between two kills. */
  writes: number
}

/** Kills processes of one store in turn, under writes and schedules. */
async function killed({ kind }: Terms, { processes, kills, writes }: Size): Promise<Figures> {
  const place = await kind.newPlace()
  const clock = new MovedClock(place.folder)
  const fleet = new Fleet(place.folder, { ...storeEnv(place), ...clock.env })
  try {
    await fleet.start(processes)
    const key = await newKey(fleet.urls()[0] ?? '')
    const urls = (): string[] => fleet.urls()
    const hours = new Hours(clock, key, urls, 4)
    await hours.begin()
    const writers = new Writers({ urls, key, count: 16 })
    for (let kill = 0; kill < kills; kill += 1) {
      await writers.acknowledged.reaches(writers.acknowledged.count + writes)
      await hours.pass(async () => {
        await pause(Math.random() * longestPauseMs)
        await fleet.kill(kill % processes)
      })
    }
    await writers.stop()
    const figures = {
      kills,
      ...(await writers.figures()),
      ...(await hours.figures()),
      ready_ms: Math.max(...fleet.readyMs),
    }
    await fleet.end()
    return { ...figures, verify_faults: await verifyFaults(place) }
  } finally {
    await fleet.end()
    await place.remove()
  }
}

const goals = [...nothingLost, most('ready_ms', readyMs)]
const together = [...goals, most('longest_stall_ms', 5000)]

export const killScenarios: readonly Scenario[] = [
  {
    name: 'kill',
    what: 'one process, killed under acknowledged writes',
    stores: both,
    goals: [...goals, least('acknowledged', 100)],
    play: (terms) => killed(terms, sized(terms, 1, { kills: 50, writes: 200 })),
  },
  {
    name: 'pair',
    what: 'two processes on one store, killed in turn',
    stores: both,
    goals: together,
    play: (terms) => killed(terms, sized(terms, 2, { kills: 15, writes: 100 })),
  },
  {
    name: 'triple',
    what: 'three processes on one store, killed in turn',
    stores: both,
    goals: together,
    play: (terms) => killed(terms, sized(terms, 3, { kills: 15, writes: 100 })),
  },
]

function sized({ isShort }: Terms, processes: number, long: Omit<Size, 'processes'>): Size {
  return { processes, ...(isShort ? { kills: 2, writes: 60 } : long) }
}
