import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gathered } from '#adapters/http/uploads/gathered.ts'

const blockBytes = 2 ** 18

/** So many bytes, in a buffer of their own or as the front of one that is twice as large. */
function piece(length: number, isOwn: boolean, of = 1): Uint8Array {
  return new Uint8Array(isOwn ? length : length * 2).fill(of).subarray(0, length)
}

/** The memory behind pieces, each buffer once. */
function heldBy(pieces: readonly Uint8Array<ArrayBuffer>[]): number {
  const buffers = new Set(pieces.map(({ buffer }) => buffer))
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

describe('what is gathered', () => {
  it('keeps what fills its buffer in that buffer', () => {
    const gathered = new Gathered()
    const sent = [piece(65_536, true), piece(65_536, true), piece(16_384, true)]
    for (const some of sent) gathered.add(some)
    expect(
      gathered.pieces().map(({ buffer }) => sent.findIndex((of) => of.buffer === buffer)),
    ).toEqual([0, 1, 2])
  })

  it('copies what is small, and what is less than most of its buffer', () => {
    const gathered = new Gathered()
    const sent = [piece(16_383, true), piece(65_536, false), piece(1, true)]
    for (const some of sent) gathered.add(some)
    const [only, ...more] = gathered.pieces()
    expect([only?.length, more]).toEqual([16_383 + 65_536 + 1, []])
    expect(sent.map(({ buffer }) => buffer)).not.toContain(only?.buffer)
  })

  it('goes on with the same block after what was kept', () => {
    const gathered = new Gathered()
    for (let n = 0; n < 100; n++) {
      gathered.add(piece(1, true))
      gathered.add(piece(16_384, true))
    }
    const pieces = gathered.pieces()
    expect(pieces).toHaveLength(200)
    expect(heldBy(pieces)).toBe(100 * 16_384 + blockBytes)
  })

  it('is what came, in order, in little more memory', () => {
    const lengths = constantFrom(0, 1, 700, 16_383, 16_384, 65_536, blockBytes, 300_000)
    const sent = array(record({ length: lengths, isOwn: boolean(), of: nat(255) }), {
      maxLength: 9,
    })
    assert(
      property(sent, (all) => {
        const some = all.map(({ length, isOwn, of }) => piece(length, isOwn, of))
        const [gathered, again] = [new Gathered(), new Gathered()]
        for (const one of some) {
          gathered.add(one)
          again.add(one)
        }
        const whole = Buffer.concat(some)
        expect(gathered.size).toBe(whole.length)
        const pieces = gathered.pieces()
        expect(whole.equals(Buffer.concat(pieces))).toBe(true)
        expect(heldBy(pieces)).toBeLessThanOrEqual(whole.length * (8 / 7) + blockBytes)
        expect(gathered.pieces()).toEqual([])
        expect(whole.equals(again.whole())).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
