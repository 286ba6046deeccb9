import { ImageFailure } from '#src/ports/images.ts'

/** The failure `too_slow` of a picture that the library, or the thread around it, gave up. */
export function tooSlow(cause?: unknown): ImageFailure {
  return new ImageFailure('too_slow', 'reading the picture takes too long', { cause })
}
