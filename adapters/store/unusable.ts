/**
 * The store cannot be used as it is configured or as it was found: something for a person to put
 * right, said in words. The process ends; nothing was changed.
 */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
