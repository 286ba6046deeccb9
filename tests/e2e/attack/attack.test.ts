import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attack } from '#tests/attack/attack-types.ts'
import { attacks } from '#tests/attack/attacks.ts'
import { openPlace, play, type Place } from '#tests/attack/play.ts'
import { inForm } from '#tests/support/long-tests.ts'

/** What an attacker may be told: that it was refused, or must wait; or it is held, or cut off. */
const refusals = new Set([
  '400',
  '401',
  '403',
  '408',
  '413',
  '422',
  '429',
  '431',
  '503',
  'held',
  'cut',
])
const seconds = inForm({ short: 0.5, long: 1 })
/**
 * What takes the most memory gets a server of its own, for the peak of one is that of all before; and time, for it
 * makes agents first, or a program, for which the server loads its largest library.
 */
const heavy = new Set(['manifests', 'documents', 'programs'])
const secondsOfHeavy = 5

const mostMb = 600

async function peakAlone(attack: Attack): Promise<number> {
  await using own = await openPlace()
  return (await play(attack, secondsOfHeavy, own)).peakMb
}

let place: Place
beforeAll(async () => {
  place = await openPlace(attacks.length)
})
afterAll(() => place[Symbol.asyncDispose]())

// `npm run attack` measures how long honest calls take during each, on a quiet machine.
describe('an honest caller', () => {
  it.each(attacks)('is answered during $what', async (attack) => {
    await using own = heavy.has(attack.name) ? await openPlace() : undefined
    const lasts = own ? secondsOfHeavy : seconds
    const { answers, noticed, peakMb, isAlive } = await play(attack, lasts, own ?? place)
    // The peak of a place is that of all attacks on it, and of a moment in which a busy machine put off
    // collecting: one that is over the limit is one that an attack makes by itself.
    const most = peakMb < mostMb ? peakMb : await peakAlone(attack)
    expect({ isAlive, failed: noticed.failed }).toEqual({ isAlive: true, failed: 0 })
    expect(noticed.read.calls).toBeGreaterThan(0)
    expect(noticed.create.calls).toBeGreaterThan(0)
    expect(most).toBeLessThan(mostMb)
    const { given = [] } = attack
    const strange = Object.keys(answers).filter((one) => !refusals.has(one) && !given.includes(one))
    expect(strange).toEqual([])
    expect(Object.values(answers).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(0)
  })
})
