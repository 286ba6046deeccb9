import type { Pieces } from './pieces.ts'

/** A picture made safe to show: upright, and nothing in it but the pixels of its first frame. */
export interface Picture {
  bytes: Uint8Array
  /** `image/webp`. */
  mediaType: string
  /** Pixels. */
  width: number
  height: number
  /** Digest of the bytes, in hexadecimal. */
  sha256: string
}

/** Why a picture was refused. */
export type ImageFault =
  /** By its content not JPEG, PNG, WebP or GIF. */
  | 'type_unsupported'
  /** More pixels than are accepted. */
  | 'too_many_pixels'
  /** A side longer than is accepted. */
  | 'side_too_long'
  /** Reading it takes longer than allowed. */
  | 'too_slow'
  /** It ends early, or cannot be read. */
  | 'broken'

/** A picture was refused. */
export class ImageFailure extends Error {
  override readonly name = 'ImageFailure'
  readonly fault: ImageFault

  constructor(fault: ImageFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Decodes pictures that others send, off the event loop. */
export interface Images {
  /**
   * Accounts take turns, so that none holds up the others.
   * @param pieces the bytes, which are handed on and cannot be used afterwards
   * @param accountId the owner of the picture
   * @throws ImageFailure; Refusal `rate_limited`, `unavailable` if too many already wait; Unavailable
   */
  made(pieces: Pieces, accountId?: string): Promise<Picture>
}
