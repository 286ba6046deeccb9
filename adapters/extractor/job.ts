import { ExtractFailure, type Extract } from '#src/ports/extractor.ts'
import type { Reply } from './message.ts'

/** A material that is being read, and what was read of it so far. */
export class Job {
  readonly extract: Promise<Extract>
  readonly #resolve: (extract: Extract) => void
  readonly #reject: (cause: unknown) => void
  readonly #chunks: Extract['chunks'] = []
  readonly #links: string[] = []

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<Extract>()
    this.extract = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Takes a reply. @returns whether it was the last one */
  take(reply: Reply): boolean {
    if ('fault' in reply) {
      this.fail(new ExtractFailure(reply.fault, reply.message))
      return true
    }
    const { part, about } = reply
    for (const chunk of part.chunks) this.#chunks.push(chunk)
    for (const link of part.links) this.#links.push(link)
    if (!about) return false
    this.#resolve({ ...about, chunks: this.#chunks, links: this.#links })
    return true
  }

  fail(cause: unknown): void {
    this.#reject(cause)
  }
}
