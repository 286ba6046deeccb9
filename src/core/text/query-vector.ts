import type { Ports } from '../context.ts'
import { ModelFailure, type Embeddings } from '#src/ports/model.ts'
import { packed } from './vectors.ts'

/** How long a search waits for the vector of its query, in milliseconds. */
const patienceMs = 5_000
/** How long no query is embedded after a failure, in milliseconds. */
const restMs = 30_000

/** Until when each provider is left alone, by the clock of this process. */
const rests = new WeakMap<Embeddings, number>()

/** The vector of what is searched for; undefined while the provider is away: words still find something. */
export async function queryVector(
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  embeddings: Embeddings,
  text: string,
): Promise<Int8Array | undefined> {
  if (clock.monotonic() < (rests.get(embeddings) ?? -Infinity)) return undefined
  try {
    const [vector] = await embeddings.embed([text], AbortSignal.timeout(patienceMs))
    return vector && packed(vector)
  } catch (cause) {
    rests.set(embeddings, clock.monotonic() + restMs)
    // Without the provider's message, which may quote its input.
    const why = cause instanceof ModelFailure ? { fault: cause.fault } : { cause }
    log.warn('a query could not be embedded', { model: embeddings.model, ...why })
    return undefined
  }
}
