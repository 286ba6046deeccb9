import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GroupCommit } from '#adapters/store/sqlite/commit.ts'
import { openSqlite } from '#adapters/store/sqlite/sqlite.ts'
import type { Store } from '#src/ports/store.ts'
import { holdTime } from './hold-time.ts'

const count = 12

/** Counts the turns of the event loop from now on. */
class Turns {
  #now = 0
  #next = setImmediate(() => this.#count())

  get now(): number {
    return this.#now
  }

  #count(): void {
    this.#now += 1
    this.#next = setImmediate(() => this.#count())
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#next)
  }
}

describe('reads of the embedded store', () => {
  let root: string
  let store: Store
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'abode-turns-'))
    store = await openSqlite(join(root, 'data'))
  })
  afterEach(async () => {
    await store.close()
    rmSync(root, { recursive: true })
  })

  /** The turns in which documents with texts of this length are there that are asked for at once. */
  const turnsOf = async (length: number): Promise<number> => {
    const ids = Array.from({ length: count }, (_, i) => `thing ${i}`)
    for (const id of ids) await store.meta.insert({ id, value: '漢'.repeat(length) })
    using turns = new Turns()
    const read = ids.map(async (id) => {
      const found = await store.meta.get(id)
      return [found?.id, turns.now] as const
    })
    const found = await Promise.all(read)
    expect(found.map(([id]) => id)).toEqual(ids)
    return new Set(found.map(([, turn]) => turn)).size
  }

  it('are spread over turns of the event loop if they are large', async () => {
    expect(await turnsOf(1_500_000)).toBeGreaterThan(count / 2)
  })

  it('are done at once if they are small', async () => {
    expect(await turnsOf(1)).toBe(1)
  })
})

describe('a group commit', () => {
  it('ends with the write that takes too long, and leaves the others to the next', async () => {
    using database = new DatabaseSync(':memory:')
    let commits = 0
    const group = new GroupCommit(
      database,
      {
        begin: () => (commits += 1),
        end: () => undefined,
        committed: () => undefined,
        sync: () => Promise.resolve(),
        between: () => undefined,
        during: (work) => work(),
        pause: () => false,
        goOn: () => undefined,
      },
      (error) => error,
    )
    const slow = (): number => {
      const end = performance.now() + 10
      while (performance.now() < end);
      return commits
    }
    const done = await Promise.all(Array.from({ length: 4 }, () => group.write(slow)))
    expect(done).toEqual([1, 2, 3, 4])
    holdTime()
    expect(await Promise.all([1, 2, 3].map((n) => group.write(() => [n, commits])))).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
    ])
    vi.restoreAllMocks()
    await group.close()
  })
})
