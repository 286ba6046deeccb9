import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

const newline = 0x0a

/** A line that is longer than whatever could be a message. */
export const tooLong = Symbol('a line that is too long')
/** A line whose bytes are no text. */
export const noText = Symbol('a line that is not UTF-8')

type Line = string | typeof tooLong | typeof noText

/**
 * The lines of a stream, without their ends and without those that are empty. One that is too long
 * is passed over without being held.
 */
export async function* linesOf(stream: Readable, bytesAtMost: number): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let bytes = 0
  const line = (): Line => {
    const text = bytes > bytesAtMost ? tooLong : textOf(Buffer.concat(parts))
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

/** Read leniently, a broken text would be kept as another than was sent. */
function textOf(bytes: Buffer): Line {
  return isUtf8(bytes) ? bytes.toString('utf8').trim() : noText
}
