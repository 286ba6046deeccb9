import type { Write } from '#src/ports/store.ts'

/**
 * Serialises transactions of this process that change the same document. MongoDB itself lets the first
 * one through and makes all others start again, so of a hundred at once most have no time left when
 * their turn comes. Conflicts with other processes are left to the server.
 */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>()

  /** Does the work once all earlier calls that change one of the same documents have ended. */
  async pass<T>(writes: readonly Write[], work: () => Promise<T>): Promise<T> {
    const lanes = lanesOf(writes)
    const before = lanes.flatMap((lane) => this.#last.get(lane) ?? [])
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    // All lanes are taken in one step, so that no two calls wait for each other.
    for (const lane of lanes) this.#last.set(lane, left)
    try {
      if (before.length > 0) await Promise.all(before)
      return await work()
    } finally {
      leave()
      for (const lane of lanes) if (this.#last.get(lane) === left) this.#last.delete(lane)
    }
  }

  /** How many documents are being changed. */
  get size(): number {
    return this.#last.size
  }
}

/** The documents that are changed by id; no one else knows of an inserted one yet. */
function lanesOf(writes: readonly Write[]): string[] {
  const lanes = new Set<string>()
  for (const write of writes) {
    const filter = 'update' in write ? write.update : 'delete' in write ? write.delete : {}
    if ('id' in filter && typeof filter.id === 'string') lanes.add(`${write.in} ${filter.id}`)
  }
  return [...lanes]
}
