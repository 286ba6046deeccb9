import { FixedText } from '../outlet/fixed-text.ts'
import type { Reply } from '../reply.ts'

const answersAtMost = 500
const charactersAtMost = 12_000_000

interface Kept {
  reply: Promise<Reply>
  /** Until when it is given again; while it is made, for all who ask. */
  untilMs: number
  characters: number
}

/**
 * What was answered at addresses that are the same for everyone, kept for a moment: a thousand readers who ask for one
 * page at once have it made once, and packed once.
 */
export class KeptReplies {
  readonly #kept = new Map<string, Kept>()
  #characters = 0

  /** @param seconds for how long an answer may be given again; with 0 it is not */
  async replyTo(
    address: string,
    make: () => Promise<{ reply: Reply; seconds: number }>,
  ): Promise<Reply> {
    const known = this.#kept.get(address)
    if (known?.untilMs === Infinity) return known.reply.catch(() => this.#replyAlone(make))
    if (known && known.untilMs > performance.now()) return known.reply
    this.#drop(address)
    const made = make()
    const reply = made.then(({ reply: one }) => withFixedBody(one))
    this.#kept.set(address, { reply, untilMs: Infinity, characters: 0 })
    try {
      const { seconds } = await made
      this.#keep(address, await reply, seconds)
      return await reply
    } catch (cause) {
      this.#drop(address)
      throw cause
    }
  }

  /** What failed for one, as by their own limit, need not fail for another. */
  async #replyAlone(make: () => Promise<{ reply: Reply }>): Promise<Reply> {
    return withFixedBody((await make()).reply)
  }

  #keep(address: string, reply: Reply, seconds: number): void {
    this.#drop(address)
    if (seconds <= 0 || !(reply.body instanceof FixedText)) return
    const characters = reply.body.length
    const untilMs = performance.now() + seconds * 1000
    this.#kept.set(address, { reply: Promise.resolve(reply), untilMs, characters })
    this.#characters += characters
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= answersAtMost && this.#characters <= charactersAtMost) break
      this.#drop(oldest)
    }
  }

  #drop(address: string): void {
    this.#characters -= this.#kept.get(address)?.characters ?? 0
    this.#kept.delete(address)
  }
}

function withFixedBody(reply: Reply): Reply {
  return typeof reply.body === 'string' ? { ...reply, body: new FixedText(reply.body) } : reply
}
