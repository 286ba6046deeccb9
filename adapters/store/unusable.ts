/**
 * The store cannot be used as it is configured or as it was found: a person has to fix it, and the
 * message says how. The process ends; nothing was changed.
 */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
