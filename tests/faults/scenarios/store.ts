import { setTimeout as pause } from 'node:timers/promises'
import { MemoryWatch } from '#tests/attack/memory.ts'
import { openMongoProxy } from '#tests/support/mongo-proxy.ts'
import { newKey } from '#tests/support/rest/call.ts'
import { openSlowWay } from '#tests/support/mongodb/slow-way.ts'
import { Fleet } from '../fleet.ts'
import { verifyFaults, type Scenario, type Terms } from '../scenario.ts'
import { least, most, none, type Figures } from '../verdict.ts'
import { Writers } from '../writers.ts'

const someWrites = 50

/** What `/health` says of the store; `nothing` where it does not answer. */
export async function saidOfStore(url: string): Promise<string> {
  const answer = await fetch(`${url}/health`).catch(() => undefined)
  // The operation answers so.
  const body = (await answer?.json().catch(() => undefined)) as { store?: string } | undefined
  return body?.store ?? 'nothing'
}

/** Takes the store away for a while, under writes. */
async function away({ kind, isShort }: Terms): Promise<Figures> {
  const place = await kind.newPlace()
  const proxy = await openMongoProxy(place.uri ?? '')
  const fleet = new Fleet(place.folder, { MONGODB_URI: proxy.uri })
  try {
    await fleet.start(1)
    const url = fleet.urls()[0] ?? ''
    const key = await newKey(url)
    const writers = new Writers({ urls: () => fleet.urls(), key, count: 8 })
    await writers.acknowledged.reaches(someWrites)
    proxy.refuse()
    const away = pause(isShort ? 3000 : 30_000)
    let saysSo = 0
    for (let looks = 0; looks < 20 && saysSo === 0; looks += 1) {
      if ((await saidOfStore(url)) !== 'ok') saysSo = 1
      await pause(100)
    }
    await away
    const back_ms = await writers.backAfter(() => proxy.accept(), someWrites)
    await writers.stop()
    const figures = await writers.figures()
    await fleet.end()
    const verify_faults = await verifyFaults(place)
    return { ...figures, health_says_so: saysSo, back_ms, verify_faults }
  } finally {
    proxy.accept()
    await fleet.end()
    await proxy.close()
    await place.remove()
  }
}

/** Has each call of the store take half a second, under writes. */
async function slow({ kind, isShort }: Terms): Promise<Figures> {
  const place = await kind.newPlace()
  const way = await openSlowWay(place.uri ?? '')
  const fleet = new Fleet(place.folder, { MONGODB_URI: way.uri })
  try {
    await fleet.start(1)
    const key = await newKey(fleet.urls()[0] ?? '')
    const memory = new MemoryWatch(fleet.member(0).child.pid ?? 0)
    const writers = new Writers({ urls: () => fleet.urls(), key, count: 8 })
    await writers.acknowledged.reaches(someWrites)
    way.delay(500)
    await pause(isShort ? 5000 : 60_000)
    way.delay(0)
    const before = writers.acknowledged.count
    await writers.acknowledged.reaches(before + someWrites)
    await writers.stop()
    const peak_mb = memory.end()
    const figures = await writers.figures()
    await fleet.end()
    return { ...figures, peak_mb, verify_faults: await verifyFaults(place) }
  } finally {
    way.delay(0)
    await fleet.end()
    await way.close()
    await place.remove()
  }
}

const kept = [none('lost'), none('doubled'), none('stale'), none('failed'), none('verify_faults')]

export const storeScenarios: readonly Scenario[] = [
  {
    name: 'away',
    what: 'the store away for half a minute, and back',
    stores: ['mongodb'],
    goals: [
      ...kept,
      least('turned_away', 1),
      most('turned_away_longest_ms', 2000),
      none('without_retry_after'),
      least('health_says_so', 1),
      most('back_ms', 5000),
    ],
    play: away,
  },
  {
    name: 'slow-store',
    what: 'half a second for each call of the store',
    stores: ['mongodb'],
    goals: [...kept, most('longest_attempt_ms', 5000), most('peak_mb', 400)],
    play: slow,
  },
]
