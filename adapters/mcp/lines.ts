import type { Readable } from 'node:stream'

const newline = 0x0a

/** A line that is longer than whatever could be a message. */
export const tooLong = Symbol('a line that is too long')

/**
 * The lines of a stream, without their ends and without those that are empty. One that is too long
 * is passed over without being held.
 */
export async function* linesOf(
  stream: Readable,
  bytesAtMost: number,
): AsyncGenerator<string | typeof tooLong> {
  let parts: Buffer[] = []
  let bytes = 0
  const line = (): string | typeof tooLong => {
    const text = bytes > bytesAtMost ? tooLong : Buffer.concat(parts).toString('utf8').trim()
    parts = []
    bytes = 0
    return text
  }
  // No encoding is set on the stream, so that it gives bytes.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(newline, from)
      const part = chunk.subarray(from, end < 0 ? undefined : end)
      bytes += part.length
      if (bytes <= bytesAtMost) parts.push(part)
      else parts = []
      if (end < 0) break
      from = end + 1
      const whole = line()
      if (whole !== '') yield whole
    }
  }
  const last = line()
  if (last !== '') yield last
}
