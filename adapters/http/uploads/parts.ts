import { asText, brokenForm, partHead, type PartHead } from './part-headers.ts'

/** What hears of the parts of a form, in order. */
export interface PartSink {
  begin(head: PartHead): void
  bytes(some: Uint8Array): void
  end(): void
}

const headBytesAtMost = 8192
/** What may stand before the first part, which nobody reads. */
const preambleBytesAtMost = 8192
const paddingAtMost = 64
/** Small chunks are looked at together: what is held is gone over again each time. */
const lookedAtFrom = 4096

type State = 'preamble' | 'boundary' | 'head' | 'bytes' | 'over'

const blankLine = Buffer.from('\r\n\r\n')

/**
 * Takes a form apart as it comes in, and holds no more of it back than could be a boundary or the
 * head of a part. The parser that koa-body brings is not used for forms: it ends the process at a
 * field with `Content-Transfer-Encoding: 7bit`, and has no bound for the heads of parts.
 */
export class PartReader {
  readonly #delimiter: Buffer
  readonly #sink: PartSink
  // The first boundary may stand at the very beginning, with no line before it.
  #held: Buffer = Buffer.from('\r\n')
  /** What has come since, and its size. */
  #come: Buffer[] = []
  #comeBytes = 0
  #state: State = 'preamble'
  #skipped = 0

  constructor(boundary: string, sink: PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#sink = sink
  }

  /** @throws HttpFault `bad_request` */
  write(chunk: Buffer): void {
    if (this.#state === 'over') return
    this.#come.push(chunk)
    this.#comeBytes += chunk.length
    if (this.#comeBytes >= lookedAtFrom) this.#look()
  }

  /** @throws HttpFault `bad_request`, also where the form has not come to its end */
  end(): void {
    this.#look()
    if (this.#state !== 'over') throw brokenForm('it ends before its last boundary')
  }

  #look(): void {
    const [only = Buffer.alloc(0)] = this.#come
    const isAlone = this.#held.length === 0 && this.#come.length <= 1
    this.#held = isAlone ? only : Buffer.concat([this.#held, ...this.#come])
    this.#come = []
    this.#comeBytes = 0
    while (this.#step());
  }

  /** Goes on by one state; false where more has to come first. */
  #step(): boolean {
    switch (this.#state) {
      case 'preamble':
        return this.#preamble()
      case 'boundary':
        return this.#boundary()
      case 'head':
        return this.#head()
      case 'bytes':
        return this.#bytes()
      default:
        return false
    }
  }

  #preamble(): boolean {
    const at = this.#held.indexOf(this.#delimiter)
    this.#skipped += at < 0 ? this.#held.length : at
    if (this.#skipped > preambleBytesAtMost) throw brokenForm('its boundary is not found')
    if (at < 0) {
      const kept = this.#held.subarray(-(this.#delimiter.length - 1))
      this.#skipped -= kept.length
      return this.#wait(kept)
    }
    return this.#go('boundary', at + this.#delimiter.length)
  }

  /** What follows a boundary: two hyphens at the end of the form, else the end of the line. */
  #boundary(): boolean {
    let at = 0
    while (this.#held[at] === 0x20 || this.#held[at] === 0x09) at += 1
    if (at > paddingAtMost) throw brokenForm('a boundary is broken')
    if (this.#held.length < at + 2) return false
    const mark = asText(this.#held.subarray(at, at + 2))
    if (mark === '\r\n') return this.#go('head', at + 2)
    if (mark !== '--' || at > 0) throw brokenForm('a boundary is broken')
    this.#held = Buffer.alloc(0)
    this.#state = 'over'
    return false
  }

  #head(): boolean {
    const end = this.#held.indexOf(blankLine)
    if ((end < 0 ? this.#held.length : end) > headBytesAtMost) {
      throw brokenForm(`the lines before a part have more than ${headBytesAtMost} bytes`)
    }
    if (end < 0) return false
    this.#sink.begin(partHead(this.#held.subarray(0, end)))
    // A part without bytes is followed by its boundary at once, which begins with a line end.
    return this.#go('bytes', end + blankLine.length)
  }

  #bytes(): boolean {
    const at = this.#held.indexOf(this.#delimiter)
    if (at < 0) {
      const sure = this.#held.length - (this.#delimiter.length - 1)
      if (sure <= 0) return false
      this.#sink.bytes(this.#held.subarray(0, sure))
      return this.#wait(this.#held.subarray(sure))
    }
    if (at > 0) this.#sink.bytes(this.#held.subarray(0, at))
    this.#sink.end()
    return this.#go('boundary', at + this.#delimiter.length)
  }

  #go(state: State, from: number): boolean {
    this.#state = state
    this.#held = this.#held.subarray(from)
    return true
  }

  /** A copy, so that a few bytes do not keep the chunk that they came with. */
  #wait(kept: Buffer): boolean {
    this.#held = Buffer.from(kept)
    return false
  }
}
