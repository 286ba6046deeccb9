/** The form of a file's id, which becomes a file name. */
const idPattern = /^[A-Za-z0-9_]{1,128}$/

/** Whether this can be the id of a file. */
export function isFileId(id: string): boolean {
  return idPattern.test(id)
}

/** Stores bytes that are not documents: photos, and uploads that are not read yet. */
export interface Files {
  /**
   * Stores bytes under a new id; durable once it resolves. The document that refers to them is committed
   * afterwards; files without such a document are swept.
   * @param id `[A-Za-z0-9_]` only; anything else is a bug of the caller and throws a RangeError
   * @param bytes at least one
   * @throws Unavailable
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /**
   * A range of the bytes, by default all of them; undefined if there is no such file. A range beyond its end
   * is cut.
   * @param range the first byte and the one after the last
   * @throws Unavailable
   */
  read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined>
  /** Deletes files; missing ones are ignored. @throws Unavailable */
  delete(ids: readonly string[]): Promise<void>
  /**
   * Ids of files stored before this time, and the remains of writes that a crash cut short, in pages, in an
   * order of the store's own.
   * @param after the last id of the page before, or an empty text
   * @throws Unavailable
   */
  keptBefore(time: Date, after: string, limit: number): Promise<string[]>
  /** Waits for calls under way; any later call throws Unavailable. */
  close(): Promise<void>
}
