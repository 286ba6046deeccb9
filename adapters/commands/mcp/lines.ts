import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

const newline = 0x0a

/** A line longer than any message can be. */
export const tooLong = Symbol('a line that is too long')
/** A line that is not valid UTF-8. */
export const noText = Symbol('a line that is not UTF-8')

type Line = string | typeof tooLong | typeof noText

/**
 * The lines of a stream, without line endings and without empty lines. A line that is too long is
 * skipped without being held in memory.
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
  // The stream has no encoding set, so it yields bytes.
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

/** Decoded leniently, invalid text would silently become different text. */
function textOf(bytes: Buffer): Line {
  return isUtf8(bytes) ? bytes.toString('utf8').trim() : noText
}
