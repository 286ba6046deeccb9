import type { EmbeddingModel } from 'ai'
import type { Embeddings } from '#src/ports/model.ts'
import { failureOf, unreadable } from './faults.ts'

/** How the embedding model is reached. */
export interface EmbeddingLine {
  model: Exclude<EmbeddingModel, string>
  /** The key that is sent; no error may quote it. */
  secret: string | undefined
}

/** Texts per request. */
const textsAtOnce = 64

/** Embeddings by the `ai` library, which is loaded with the first text. */
export function embeddingsBy(name: string, line: () => Promise<EmbeddingLine>): Embeddings {
  return {
    model: name,
    async embed(texts, signal) {
      const ai = await import('ai')
      const { model, secret } = await line()
      const vectors: Float32Array[] = []
      for (let from = 0; from < texts.length; from += textsAtOnce) {
        const values = texts.slice(from, from + textsAtOnce)
        try {
          const terms = { model, values, abortSignal: signal, maxRetries: 0, maxParallelCalls: 1 }
          const { embeddings } = await ai.embedMany(terms)
          for (const one of embeddings) vectors.push(Float32Array.from(one))
        } catch (cause) {
          signal.throwIfAborted()
          throw failureOf(ai, cause, secret)
        }
      }
      const [first] = vectors
      const isWhole = vectors.length === texts.length
      if (isWhole && vectors.every((one) => one.length > 0 && one.length === first?.length)) {
        return vectors
      }
      throw unreadable('there are not as many numbers as asked for')
    },
  }
}
