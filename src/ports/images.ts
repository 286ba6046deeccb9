/** A picture made safe to show: turned upright, nothing in it but the pixels of its first frame. */
export interface Picture {
  bytes: Uint8Array
  /** `image/webp`. */
  mediaType: string
  /** Pixels. */
  width: number
  height: number
}

/** Why a picture was not taken. */
export type ImageFault =
  /** None of JPEG, PNG, WebP and GIF, by its content. */
  | 'type_unsupported'
  /** More pixels than are taken. */
  | 'too_many_pixels'
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
  /** @throws ImageFailure */
  made(bytes: Uint8Array): Promise<Picture>
}
