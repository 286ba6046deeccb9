import { Duplex, PassThrough, Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { failure, tooLarge } from './faults.ts'

export const acceptedCodings = 'gzip, deflate, br, zstd'

/** How many nested codings are undone; honest servers send no more. */
const codingsAtMost = 3
// A frame may ask for any window. 8 MB is what RFC 9659 lets a server ask of a client.
const zstdWindow = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }

/**
 * The whole body, decompressed. Reading stops at the first byte beyond the limit, counted before and
 * after decompression, so neither a decompression bomb nor endless empty blocks are read to their end.
 * @throws OutboundFailure `too_large`, or `broken_answer` for a coding or data that cannot be read
 */
export async function readBody(
  raw: Readable,
  contentEncoding: string,
  limit: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const keep = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  const decoders = decodersOf(contentEncoding).flatMap((decoder) => [decoder, atMost(limit)])
  await pipeline([raw, atMost(limit), ...decoders, keep], { signal })
  return Buffer.concat(chunks)
}

/** The body, decompressed as it arrives, with the same limits. @throws as `readBody`, while it is read */
export function streamBody(
  raw: Readable,
  contentEncoding: string,
  limit: number,
  signal: AbortSignal,
): Readable {
  const out = new PassThrough()
  const decoders = decodersOf(contentEncoding).flatMap((decoder) => [decoder, atMost(limit)])
  // An error destroys every stage with that error, so the reader of the last one gets it.
  pipeline([raw, atMost(limit), ...decoders, out], { signal }).catch(() => undefined)
  return out
}

/** Passes bytes on until there are too many. */
function atMost(limit: number): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > limit) done(tooLarge(limit))
      else done(null, chunk)
    },
  })
}

/** The decoders for the codings of a header, the last one applied first. */
function decodersOf(contentEncoding: string): Duplex[] {
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > codingsAtMost) throw failure('broken_answer')
  return codings.toReversed().map(decoderOf)
}

function decoderOf(coding: string): Duplex {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return Duplex.from(inflated)
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return zlib.createZstdDecompress(zstdWindow)
    default:
      throw failure('broken_answer')
  }
}

// Servers use this name for two formats: with a zlib header, whose low four bits are 8, or bare.
async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const hasHeader = ((first.value[0] ?? 0) & 15) === 8
  const decoder = hasHeader ? zlib.createInflate() : zlib.createInflateRaw()
  yield* Readable.from(all()).compose(decoder)
}
