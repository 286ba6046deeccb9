import { gunzipSync } from 'node:zlib'
import { ExtractFailure } from '#src/ports/extractor.ts'
import { unfoldedBytesAtMost, unfoldsTooFar } from '../limits.ts'

/** @throws ExtractFailure */
export function gunzipped(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: unfoldedBytesAtMost })
  } catch (cause) {
    const isTooMuch =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooMuch ? unfoldsTooFar() : new ExtractFailure('broken', 'It cannot be unfolded.')
  }
}
