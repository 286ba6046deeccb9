/** Where bytes are kept that are no documents: photos, and what was uploaded and not yet read. */
export interface Files {
  /**
   * Keeps bytes under a new id of ours; durable once it resolves. The document that speaks of them
   * is committed after; what no document speaks of is swept.
   * @param id `[A-Za-z0-9_]` only
   * @throws Unavailable
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /**
   * A stretch of the bytes, by default all of them; undefined where there is no such file.
   * @param range the first byte and the one after the last
   * @throws Unavailable
   */
  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>
  /** Deletes what is there; what is not is no fault. @throws Unavailable */
  delete(ids: readonly string[]): Promise<void>
  /** Ids that were put before this time, some of them at a time, in order. @throws Unavailable */
  keptBefore(time: Date, after: string, limit: number): Promise<string[]>
  close(): Promise<void>
}
