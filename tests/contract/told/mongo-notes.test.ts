import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Changes } from '#adapters/store/mongo/changes/changes.ts'
import type { Touched } from '#src/ports/touched.ts'
import { NotesInMemory } from './notes.ts'

let database: NotesInMemory
let told: Touched[]
const open: Changes[] = []

const processOf = (origin: string): Changes => {
  const changes = new Changes(database.of(origin), origin)
  open.push(changes)
  return changes
}
/** Passes a time in which others become known, and what is told of everything is over. */
const known = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(12_000)
  told.length = 0
}
const names = (...all: string[]): Touched => new Set(all)

beforeEach(() => {
  vi.useFakeTimers()
  database = new NotesInMemory()
  told = []
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((changes) => changes.close()))
  vi.useRealTimers()
})

describe.each([
  { road: 'a change stream, of a stand-in', hasFeeds: true },
  { road: 'a poll', hasFeeds: false },
])('what processes on MongoDB tell each other, read by $road', ({ hasFeeds }) => {
  let one: Changes
  let other: Changes
  beforeEach(async () => {
    database.hasFeeds = hasFeeds
    one = processOf('one')
    other = processOf('other')
    one.watch(() => undefined)
    other.watch((touched) => told.push(touched))
    await known()
  })

  it('is named within 30 ms, each once', async () => {
    one.tell(['runs/a', 'loops/runs'])
    await vi.advanceTimersByTimeAsync(30)
    expect(told).toEqual([names('runs/a', 'loops/runs')])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(told).toHaveLength(1)
  })

  it('is one note for what is touched while another is written', async () => {
    for (let n = 0; n < 50; n += 1) one.tell([`runs/${n}`])
    await vi.advanceTimersByTimeAsync(30)
    expect(database.notes).toHaveLength(2)
    const sizes = told.map((touched) => (touched === 'all' ? Infinity : touched.size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(50)
  })

  it('is everything where a note is missing', async () => {
    database.isAway = true
    one.tell(['runs/a'])
    await vi.advanceTimersByTimeAsync(300)
    database.isAway = false
    const first = { origin: 'third', n: 1, names: ['runs/x'] }
    await database.of('third').add(first)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(told).not.toContain('all')
    told.length = 0
    await database.of('third').add({ ...first, n: 3 })
    await vi.advanceTimersByTimeAsync(30)
    expect(told).toEqual(['all'])
  })

  it('is told after all where a note could not be written at once', async () => {
    database.isAway = true
    one.tell(['api_keys/k'])
    await vi.advanceTimersByTimeAsync(3_000)
    database.isAway = false
    await vi.advanceTimersByTimeAsync(1_300)
    expect(told).toEqual([names('api_keys/k')])
  })

  it('is everything once a process has died, which may have told less than it did', async () => {
    await one.close()
    await vi.advanceTimersByTimeAsync(9_000)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(6_000)
    expect(told).toEqual(['all'])
    expect([...database.readers.keys()]).toEqual(['other'])
    expect(other.isHeard).toBe(false)
  })

  it('is everything to a process that was taken for dead, until it is known again', async () => {
    database.readers.delete('other')
    await vi.advanceTimersByTimeAsync(1_100)
    expect(new Set(told)).toEqual(new Set(['all']))
    expect(database.readers.has('other')).toBe(true)
    await known()
    one.tell(['runs/a'])
    await vi.advanceTimersByTimeAsync(30)
    expect(told).toEqual([names('runs/a')])
  })

  it('is everything to a process that has read nothing for as long as notes last', async () => {
    database.isAway = true
    await vi.advanceTimersByTimeAsync(40_000)
    database.isAway = false
    await vi.advanceTimersByTimeAsync(1_500)
    expect(told).toContain('all')
  })

  it('keeps a bounded number of notes of one process', async () => {
    for (let n = 0; n < 1_300; n += 1) {
      one.tell([`runs/${n}`])
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(database.notes.length).toBeLessThanOrEqual(1_100)
  })

  it('is everything where too much was touched to name it', async () => {
    one.tell(Array.from({ length: 1_001 }, (_, n) => `runs/${n}`))
    await vi.advanceTimersByTimeAsync(30)
    expect(told).toEqual(['all'])
    expect(database.notes.at(-1)?.names).toEqual(['*'])
  })

  it('ends with the store, which tells before what it has touched', async () => {
    one.tell(['runs/last'])
    await one.close()
    await one.leave()
    expect([...database.readers.keys()]).toEqual(['other'])
    expect(database.notes.at(-1)?.names).toEqual(['runs/last'])
    await other.close()
    told.length = 0
    other.watch((touched) => told.push(touched))()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(told).toEqual([])
    expect(database.feeds.every(({ isClosed }) => isClosed)).toBe(true)
  })
})

describe('a lone process on MongoDB', () => {
  it('is not heard, and reads once a second', async () => {
    database.hasFeeds = false
    const lone = processOf('lone')
    await lone.open()
    expect(lone.isHeard).toBe(false)
    lone.watch((touched) => told.push(touched))
    await known()
    expect(lone.isHeard).toBe(false)
    const { reads } = database
    await vi.advanceTimersByTimeAsync(10_000)
    expect(database.reads - reads).toBeLessThanOrEqual(11)
    expect(told).toEqual([])
    expect(database.readers.get('lone')).toBe(1)
  })

  it('takes itself for heard where it has not looked for long', async () => {
    const silent = processOf('silent')
    await silent.open()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(silent.isHeard).toBe(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(silent.isHeard).toBe(false)
  })
})

describe('the change stream, of a stand-in', () => {
  it('leaves the database alone but for one look a second', async () => {
    const [one, other] = [processOf('one'), processOf('other')]
    for (const changes of [one, other]) changes.watch(() => undefined)
    await known()
    const { reads } = database
    await vi.advanceTimersByTimeAsync(10_000)
    expect(database.reads - reads).toBeLessThanOrEqual(22)
  })

  it('is opened again after an error, and what was missed is read', async () => {
    const [one, other] = [processOf('one'), processOf('other')]
    one.watch(() => undefined)
    other.watch((touched) => told.push(touched))
    await known()
    const feed = database.feeds.find(({ origin }) => origin === 'other')
    feed?.listener.failed('network')
    expect(feed?.isClosed).toBe(true)
    one.tell(['runs/missed'])
    await vi.advanceTimersByTimeAsync(1_100)
    expect(told).toEqual([names('runs/missed')])
    one.tell(['runs/next'])
    await vi.advanceTimersByTimeAsync(0)
    expect(told.at(-1)).toEqual(names('runs/next'))
  })
})
