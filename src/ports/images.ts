/** A picture made safe to show: turned upright, nothing in it but the pixels of its first frame. */
export interface Picture {
  bytes: Uint8Array
  /** `image/webp`. */
  mediaType: string
  /** Pixels. */
  width: number
  height: number
  /** Of the bytes, in hexadecimal. */
  sha256: string
}

/** Why a picture was not taken. */
export type ImageFault =
  /** None of JPEG, PNG, WebP and GIF, by its content. */
  | 'type_unsupported'
  /** More pixels than are taken. */
  | 'too_many_pixels'
  /** A side that is longer than is taken. */
  | 'side_too_long'
  /** Reading it takes longer than a picture may. */
  | 'too_slow'
  /** It ends early, or cannot be read. */
  | 'broken'

/** A picture was not taken. */
export class ImageFailure extends Error {
  override readonly name = 'ImageFailure'
  readonly fault: ImageFault

  constructor(fault: ImageFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Pictures that others send, read away from the event loop. */
export interface Images {
  /**
   * Accounts take turns, whatever one of them sends.
   * @param accountId whose picture it is
   * @throws ImageFailure; Refusal `rate_limited`, `unavailable` where too many wait already; Unavailable
   */
  made(bytes: Uint8Array, accountId?: string): Promise<Picture>
}
