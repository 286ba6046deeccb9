/** What an id of a file looks like: it becomes the name of one. */
const idPattern = /^[A-Za-z0-9_]{1,128}$/

/** Whether this can be the id of a file at all. */
export function isFileId(id: string): boolean {
  return idPattern.test(id)
}

/** Where bytes are kept that are no documents: photos, and what was uploaded and not yet read. */
export interface Files {
  /**
   * Keeps bytes under a new id of ours; durable once it resolves. The document that speaks of them
   * is committed after; what no document speaks of is swept.
   * @param id `[A-Za-z0-9_]` only; anything else is a fault of ours and throws a RangeError
   * @param bytes one at least
   * @throws Unavailable
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /**
   * A stretch of the bytes, by default all of them; undefined where there is no such file. What lies
   * beyond its end is left out.
   * @param range the first byte and the one after the last
   * @throws Unavailable
   */
  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>
  /** Deletes what is there; what is not is no fault. @throws Unavailable */
  delete(ids: readonly string[]): Promise<void>
  /**
   * Ids that were put before this time, and what is left of puts that a crash cut short. They come in
   * an order of the keeper's own, so many at a time: the last id of a page asks for the next.
   * @param after the last id of the page before, or an empty text
   * @throws Unavailable
   */
  keptBefore(time: Date, after: string, limit: number): Promise<string[]>
  /** Waits for what is under way; whatever is asked later throws Unavailable. */
  close(): Promise<void>
}
