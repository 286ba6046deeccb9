import type { Context } from 'koa'
import type { JsonScan } from '#src/core/input/json-scan.ts'
import { bytesAroundPiece } from './incoming.ts'
import type { Reading } from './intake.ts'
import { noRoom, tooLarge, tooSlow } from './refusals.ts'

/**
 * Counts what comes in of a body of any kind before anything is made of it. Where it comes slowly and
 * others find no room, whoever reads it hears of that as of any fault of the stream.
 * @returns what takes each piece in turn
 * @throws Refusal `payload_too_large`; `unavailable` where there is no room
 */
export function gateOf(
  { req }: Context,
  reading: Reading,
  scan?: JsonScan,
): (chunk: Buffer) => void {
  const { hold, limit } = reading
  hold.givesWay(
    () => !req.complete && req.listenerCount('error') > 0 && req.emit('error', tooSlow()),
  )
  let size = 0
  return (chunk) => {
    size += chunk.length
    if (size > limit) throw tooLarge(reading)
    if (!hold.grow(chunk.length + bytesAroundPiece)) throw noRoom()
    scan?.add(chunk)
  }
}
