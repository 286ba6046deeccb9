import { streamMilliseconds } from '#src/core/admission/streams.ts'

/** How much may be listened to by one stream. */
export interface ListeningBounds {
  /** Of one stream; the acknowledgement names those that are. */
  runs: number
  /** A stream ends after that, and may be begun again. */
  milliseconds: number
  /** How often the credential is looked at where nothing happens. */
  lookAgainMs: number
}

export const listeningBounds: ListeningBounds = {
  runs: 50,
  milliseconds: streamMilliseconds,
  lookAgainMs: 15_000,
}
