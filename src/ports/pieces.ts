/**
 * Bytes in order, to be given away without a copy: several pieces may be of one buffer, and nothing else that is
 * still used is in it.
 */
export type Pieces = readonly Uint8Array<ArrayBuffer>[]
