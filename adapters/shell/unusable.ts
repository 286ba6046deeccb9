/** A runtime was switched on and cannot be had; the message says what to do. */
export class RuntimeUnusable extends Error {
  override readonly name = 'RuntimeUnusable'
}
