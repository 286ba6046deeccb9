import type { Context } from 'koa'
import type { JsonScan } from '#src/core/input/json-scan.ts'
import { bytesAroundPiece } from './incoming.ts'
import type { Reading } from './intake.ts'
import { noRoom, tooLarge, tooSlow } from './refusals.ts'

/**
 * Counts the bytes of any body before they are processed. If the body arrives slowly and others find no
 * room, its reader gets the refusal as an error of the stream.
 * @returns a function to call with each piece in turn
 * @throws Refusal `payload_too_large`; `unavailable` if there is no room
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
