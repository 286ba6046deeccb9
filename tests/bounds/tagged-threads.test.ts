import { expect, it, vi } from 'vitest'
import { listedThreads } from '#src/commons/threads/listed.ts'
import { tagged } from '#src/commons/places.ts'
import { newThread } from '#src/commons/threads/write.ts'
import { openWorld } from '#tests/support/world.ts'
import { stores } from '#tests/support/stores.ts'

const caller = {
  kind: 'member',
  subject: 'x',
  level: 0,
  handle: 'someone',
  accountId: undefined,
  keyId: undefined,
  personId: undefined,
  charId: undefined,
  tokenId: undefined,
} as const
const written = { title: 'T', body: 'B', tags: ['many'], board: 'ask', sketch: '' }
const atOnce = 100

it('ranks the newest thousand threads of a tag in portions, with a turn for others between two', async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is one')
  const store = await kind.open()
  const world = openWorld(store)
  for (let from = 0; from < 1_100; from += atOnce) {
    const some = Array.from({ length: atOnce }, (_, i) => {
      const id = `thr_${String(from + i).padStart(6, '0')}`
      return newThread(id, written, caller, new Date(Date.UTC(2026, 0, 1)))
    })
    await store.commit(
      some.flatMap(({ thread, standing }) => [
        { in: 'commons_threads', insert: thread } as const,
        { in: 'commons_standings', insert: { ...standing, listed: 1, score: 1 } } as const,
        ...tagged(thread),
      ]),
    )
  }
  const reads = vi.spyOn(store.commons_tags, 'find')
  const turn = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const query = { sort: 'top', tag: 'many' } as Parameters<typeof listedThreads>[1]
  const reader = { viewer: undefined, publicUrl: world.ports.settings.publicUrl }
  const { rows } = await listedThreads(
    { store, clock: { turn } },
    query,
    { limit: 20, cursor: undefined },
    reader,
  )
  expect(rows.map(({ id }) => id)[0]).toBe('thr_001099')
  const limits = reads.mock.calls.flatMap(([, options]) => options?.limit ?? [])
  expect(limits).toEqual(Array.from({ length: 10 }, () => atOnce))
  expect(turn).toHaveBeenCalledTimes(9)
})
