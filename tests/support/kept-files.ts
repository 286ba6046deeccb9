import { isFileId, type Files } from '#src/ports/files.ts'

/** Files of a test, gone with it. */
export function memoryFiles(): Files & { ids(): string[] } {
  const kept = new Map<string, { bytes: Uint8Array; at: number }>()
  return {
    put: (id, bytes) => {
      if (!isFileId(id)) throw new RangeError('this is not the id of a file')
      kept.set(id, { bytes: Uint8Array.from(bytes), at: Date.now() })
      return Promise.resolve()
    },
    read: (id, range) => Promise.resolve(kept.get(id)?.bytes.slice(range?.start ?? 0, range?.end)),
    delete: (ids) => {
      for (const id of ids) kept.delete(id)
      return Promise.resolve()
    },
    keptBefore: (time, after, limit) => {
      const old = [...kept].filter(([id, { at }]) => id > after && at < time.getTime())
      return Promise.resolve(
        old
          .map(([id]) => id)
          .sort()
          .slice(0, limit),
      )
    },
    close: () => Promise.resolve(),
    ids: () => [...kept.keys()],
  }
}
