/** Bytes that uploads under way hold in memory together. */
export const uploadBytesTogether = 256 * 2 ** 20

/** How much may be in memory at once; what has no room is told to come again. */
export class Room {
  readonly #bytesAtMost: number
  #taken = 0

  constructor(bytesAtMost = uploadBytesTogether) {
    this.#bytesAtMost = bytesAtMost
  }

  /**
   * Takes room, and gives the function that gives it back; undefined where there is not enough.
   * @param share the part of all that may be taken with this: what nobody is known for leaves room
   */
  take(bytes: number, share = 1): (() => void) | undefined {
    if (this.#taken + bytes > this.#bytesAtMost * share) return undefined
    this.#taken += bytes
    let isTaken = true
    return () => {
      if (isTaken) this.#taken -= bytes
      isTaken = false
    }
  }
}
