import { ExtractFailure, type Extract } from '#src/ports/extractor.ts'
import type { About, Reply } from './message.ts'

/** What was read of a material so far. */
export class Gathered {
  readonly #chunks: Extract['chunks'] = []
  readonly #links: string[] = []

  /**
   * Takes a reply, and gives the whole of the material with the last one.
   * @throws ExtractFailure for one that says why it could not be read
   */
  take(reply: Reply): Extract | undefined {
    if ('fault' in reply) throw new ExtractFailure(reply.fault, reply.message)
    for (const chunk of reply.part.chunks) this.#chunks.push(chunk)
    for (const link of reply.part.links) this.#links.push(link)
    return reply.about ? this.#whole(reply.about) : undefined
  }

  #whole(about: About): Extract {
    return { ...about, chunks: this.#chunks, links: this.#links }
  }
}
