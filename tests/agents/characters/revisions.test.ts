import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOvertaken, mustBe, retryUnmet } from '#src/core/revision.ts'
import { buried, firstRevisions } from '#src/core/tombstones.ts'
import { DuplicateKey, type Store, Unmet } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const failing = (cause: Error) => vi.fn<() => Promise<void>>(() => Promise.reject(cause))

describe('a change', () => {
  it('is refused where another revision was expected', () => {
    mustBe(3, undefined)
    mustBe(3, 3)
    const changed = expect.objectContaining({ code: 'revision_mismatch' }) as Error
    expect(() => mustBe(3, 2)).toThrow(changed)
    expect(() => mustBe(3, 0)).toThrow(changed)
  })

  it('is overtaken by what changed, or what was made where that is changed too', () => {
    expect(isOvertaken(new Unmet('characters', 0))).toBe(true)
    expect(isOvertaken(new DuplicateKey('memory', ['id']))).toBe(true)
    expect(isOvertaken(new DuplicateKey('characters', ['id']))).toBe(false)
    expect(isOvertaken(new Error('gone'))).toBe(false)
  })

  it('is tried a hundred times while it is overtaken, and then refused', async () => {
    const attempt = failing(new Unmet('characters', 0))
    await expect(retryUnmet(attempt)).rejects.toMatchObject({ code: 'write_conflict' })
    expect(attempt).toHaveBeenCalledTimes(100)
  })

  it('is tried once where it fails otherwise', async () => {
    const attempt = failing(new DuplicateKey('characters', ['id']))
    await expect(retryUnmet(attempt)).rejects.toBeInstanceOf(DuplicateKey)
    expect(attempt).toHaveBeenCalledTimes(1)
  })

  it('gives what the try gives that comes through', async () => {
    const attempt = vi.fn<() => Promise<string>>(() => Promise.resolve('done'))
    attempt.mockRejectedValueOnce(new DuplicateKey('wallets', ['id']))
    await expect(retryUnmet(attempt)).resolves.toBe('done')
  })
})

describe.each(stores())('what begins under the id of something deleted on $name', (kind) => {
  let store: Store
  beforeEach(async () => {
    store = await kind.open()
  })
  afterEach(() => store.close())

  const bury = (id: string, revision: number): Promise<void> =>
    buried(store, 'memory', [{ id, revision, owner_id: 'acc_1' }], now).then(({ writes }) =>
      store.commit(writes),
    )
  const revisions = async (...ids: string[]): Promise<number[]> =>
    ids.map(await firstRevisions(store, 'memory', ids))

  it('has a revision beyond the last of that, regardless of later deletions', async () => {
    await bury('a/t', 4)
    await bury('b/t', 7)
    expect(await revisions('a/t')).toEqual([5])
    expect(await revisions('c/t')).toEqual([1])
    expect(await revisions('a/t', 'c/t', 'b/t')).toEqual([5, 1, 8])
    expect(await revisions()).toEqual([])
  })

  it('goes on from the last time, where that was deleted again', async () => {
    await bury('a/t', 4)
    await bury('a/t', 9)
    expect(await revisions('a/t', 'b/t')).toEqual([10, 1])
    expect(await store.tombstones.count({})).toBe(1)
  })

  it('is of a task beyond what its agent had come to when tasks of it went', async () => {
    const gone = [{ id: 'ada', revision: 6, owner_id: 'acc_1' }]
    await store.commit((await buried(store, 'characters', gone, now)).writes)
    const ids = ['ada/digest', 'ada/brief', 'bob/digest']
    expect(ids.map(await firstRevisions(store, 'tasks', ids))).toEqual([7, 7, 1])
  })

  it('begins with 1 where something of another kind had the id', async () => {
    await bury('same', 4)
    expect((await firstRevisions(store, 'characters', ['same']))('same')).toBe(1)
  })

  it('looks for no more than is asked for', async () => {
    await bury('a/t', 4)
    await bury('b/t', 7)
    const find = vi.spyOn(store.tombstones, 'find')
    await revisions('a/t')
    await revisions('a/t', 'c/t')
    const found = await Promise.all(find.mock.results.map(({ value }) => value))
    expect(found.map((rows) => rows.length)).toEqual([1, 1])
  })
})
