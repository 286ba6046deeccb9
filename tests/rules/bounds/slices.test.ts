import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Slices, turnOf } from '#src/core/turns/slices.ts'
import { Agenda, type Entry } from '#src/runs/simulations/agenda.ts'

/** A clock of turns that a test gives one by one. */
function turns(): { turn: () => Promise<void>; next: () => Promise<void>; asked: () => number } {
  const waiting: (() => void)[] = []
  let asked = 0
  return {
    turn: () => {
      asked += 1
      return new Promise((resolve) => waiting.push(resolve))
    },
    async next() {
      waiting.shift()?.()
      for (let i = 0; i < 10; i++) await Promise.resolve()
    },
    asked: () => asked,
  }
}

test('of many long works one does a piece in each turn', async () => {
  const clock = turns()
  const done: string[] = []
  const work = async (name: string): Promise<void> => {
    for (let i = 0; i < 2; i++) {
      await turnOf(clock)
      done.push(name)
    }
  }
  const all = Promise.all([work('a'), work('b'), work('c')])
  await clock.next()
  for (let i = 1; i <= 6; i++) {
    // However many wait, one turn was asked for.
    expect([done.length, clock.asked()]).toEqual([i - 1, i])
    await clock.next()
  }
  await all
  expect(done.join('')).toBe('abcabc')
})

test('a piece ends after a number of units, counted one by one or in bulk', async () => {
  const clock = turns()
  const slices = new Slices(clock)
  const until = (units: number): number => {
    let count = 1
    while (!slices.isSpent(units)) count += 1
    return count
  }
  expect([until(1), until(1)]).toEqual([128, 1])
  const rested = slices.rest()
  await clock.next()
  await clock.next()
  await rested
  expect(until(50)).toBe(3)
})

test('an agenda gives what sorting gives, however its first moves on', () => {
  const step = fc.integer({ min: 0, max: 5 })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.infiniteStream(step), (starts, moves) => {
      const agenda = new Agenda<Entry>()
      const kept = starts.map((at, position): Entry => ({ at, position }))
      for (const entry of kept) agenda.add(entry)
      for (let i = 0; i < 100; i++) {
        kept.sort((a, b) => a.at - b.at || a.position - b.position)
        expect(agenda.first).toBe(kept[0])
        const [first] = kept
        if (!first) return
        const { value: move = 0 } = moves.next()
        if (move === 0) {
          kept.shift()
          agenda.drop()
        } else {
          first.at += move
          agenda.settle()
        }
      }
    }),
  )
})
