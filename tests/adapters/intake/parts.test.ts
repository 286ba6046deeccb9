import { describe, expect, it } from 'vitest'
import { Budget, sharesOf } from '#adapters/http/intake/budget.ts'
import { connectionBounds, connectionBoundsOf } from '#adapters/http/intake/connections.ts'
import { formBytesAtMost } from '#adapters/http/uploads/form.ts'
import { streamBounds, streamBoundsOf } from '#src/core/admission/streams.ts'

describe('what one of several processes may hold', () => {
  it('is everything where there is one', () => {
    expect(streamBoundsOf(1)).toEqual(streamBounds)
    expect(connectionBoundsOf(1)).toEqual(connectionBounds)
    const { anonymous, known } = sharesOf(1)
    expect([anonymous.all, known.all]).toEqual([32 * 2 ** 20, 192 * 2 ** 20])
  })

  it.each([2, 3, 64])('is a part of the connections and streams: %i processes', (processes) => {
    const [streams, connections] = [streamBoundsOf(processes), connectionBoundsOf(processes)]
    expect(processes * streams.all).toBeLessThanOrEqual(streamBounds.all)
    expect(processes * streams.unclaimed).toBeLessThanOrEqual(streamBounds.unclaimed)
    expect(processes * connections.open).toBeLessThanOrEqual(connectionBounds.open)
    expect(processes * connections.waitingBytes).toBeLessThanOrEqual(connectionBounds.waitingBytes)
    // An account whose connections meet in one process is not refused at once.
    expect(streams.credential.unclaimed).toBeGreaterThanOrEqual(streamBounds.always)
  })

  it.each([2, 64])('is a part of the bytes, with room for the largest body: %i', (processes) => {
    const shares = sharesOf(processes)
    expect(shares.anonymous.all).toBeLessThan(32 * 2 ** 20)
    const budget = new Budget(shares)
    const largest = {
      anonymous: 2 ** 16,
      signed: 2 ** 20,
      known: formBytesAtMost({ member: 'a', most: 10 }),
    }
    for (const name of ['anonymous', 'signed', 'known'] as const) {
      const hold = budget.hold(name, 'one')
      for (let left = largest[name]; left > 0; left -= 65_536) {
        // Pieces count for a little more than their bytes.
        expect(hold.grow(Math.min(left, 65_536) + 256)).toBe(true)
      }
      expect(budget.hold(name, 'other').grow(2 ** 16)).toBe(true)
    }
  })
})
