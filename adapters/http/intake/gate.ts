import type { JsonScan } from '#src/core/input/json-scan.ts'
import type { Reading } from './intake.ts'
import { InPieces, noRoom, tooLarge } from './refusals.ts'

/** What a piece of a body takes beside its bytes: many small ones are far more than they say. */
const bytesAroundChunk = 256
/** So many pieces may be of any size; of more, so many bytes are wanted of each on average. */
const piecesAtLeast = 500
const bytesOfPiece = 64

/**
 * Counts what comes in of a body of any kind before anything is made of it.
 * @returns what takes each piece in turn
 * @throws Refusal `payload_too_large` where it is too much, or in too many pieces; `unavailable` where
 *   there is no room
 */
export function gateOf(reading: Reading, scan?: JsonScan): (chunk: Buffer) => void {
  const { hold, limit } = reading
  let pieces = 0
  let size = 0
  return (chunk) => {
    pieces += 1
    size += chunk.length
    if (size > limit) throw tooLarge(reading)
    if (pieces > piecesAtLeast && pieces * bytesOfPiece > size) throw new InPieces()
    if (!hold.grow(chunk.length + bytesAroundChunk)) throw noRoom()
    scan?.add(chunk)
  }
}
