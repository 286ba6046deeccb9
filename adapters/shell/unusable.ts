/** A runtime is switched on but unavailable; the message says what to do. */
export class RuntimeUnusable extends Error {
  override readonly name = 'RuntimeUnusable'
}
