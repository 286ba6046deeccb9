import { fileBytesAtMost } from '#src/core/input/upload.ts'
import { ExtractFailure } from '#src/ports/extractor.ts'

/** Bytes of a material. */
export const bytesAtMost = fileBytesAtMost
/** Characters of all chunks together. */
export const charactersAtMost = 20 * 2 ** 20
/** Chunks of a material. */
export const chunksAtMost = 20_000
/** Addresses of a sitemap: as many as its format allows. */
export const linksAtMost = 50_000
/** Total bytes that packed content may expand to. */
export const unfoldedBytesAtMost = 50 * 2 ** 20
/** Pages of a PDF. */
export const pagesAtMost = 2_000

export const tooManyChunks = (): ExtractFailure =>
  new ExtractFailure('too_large', `It makes more than ${chunksAtMost} pieces of text.`)

export const tooMuchText = (): ExtractFailure =>
  new ExtractFailure('too_large', 'It holds more than 20 MB of text.')

export const tooCostly = (): ExtractFailure =>
  new ExtractFailure('too_costly', 'It takes too much memory to be read.')

export const unfoldsTooFar = (): ExtractFailure =>
  new ExtractFailure('too_large', 'It unfolds to more than 50 MB.')
