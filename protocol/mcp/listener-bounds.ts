import { streamMilliseconds } from '#src/core/admission/streams.ts'

/** The limits of one subscription stream. */
export interface ListeningBounds {
  /** The resources of one stream; the acknowledgement names those that are included. */
  resources: number
  /** A stream ends after this time, and may be opened again. */
  milliseconds: number
  /** How often the credential is checked while nothing happens. */
  lookAgainMs: number
}

export const listeningBounds: ListeningBounds = {
  resources: 50,
  milliseconds: streamMilliseconds,
  lookAgainMs: 15_000,
}
