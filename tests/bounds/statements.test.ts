import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import type { OpenedStore, StoreWork } from '#adapters/store/opened.ts'
import { played, workOfEach, type Played } from '#tests/bench/statements.ts'

/**
 * What a write asks of the embedded store when nothing else does: reads before its commit, and statements
 * and rows inside it. A change that lowers one lowers it here; one that raises it needs a reason.
 */
const expected: Record<Played, Pick<StoreWork, 'looks' | 'commits' | 'statements' | 'rows'>> = {
  create: { looks: 1, commits: 1, statements: 3, rows: 2 },
  createKeyed: { looks: 2, commits: 1, statements: 4, rows: 3 },
  run: { looks: 4, commits: 1, statements: 2, rows: 2 },
  message: { looks: 5, commits: 1, statements: 1, rows: 1 },
  sendMessage: { looks: 3, commits: 1, statements: 1, rows: 1 },
  vote: { looks: 3, commits: 1, statements: 3, rows: 2 },
}

describe('the statements of a write', () => {
  let folder: string
  let store: OpenedStore
  let found: Record<Played, StoreWork>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-statements-'))
    store = await openStore({ folder })
    found = await workOfEach(store)
  })

  afterAll(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('are not counted for nothing: SQLite runs its own where no one counts', async () => {
    const other = await openStore({ folder: join(folder, 'other') })
    const work = { looks: 0, commits: 0, statements: 0, rows: 0, bytes: 0 }
    await other.characters.count({})
    other.countedBy?.(work)
    await other.characters.count({})
    await other.close()
    expect(work).toEqual({ looks: 1, commits: 0, statements: 0, rows: 0, bytes: 0 })
  })

  it.each(played)('are no more and no fewer: %s', (name) => {
    const { bytes, ...counts } = found[name]
    expect(counts).toEqual(expected[name])
    expect(bytes).toBeGreaterThan(0)
  })
})
