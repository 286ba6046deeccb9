import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { Collection, Store } from '#src/ports/store.ts'
import { type StoreKind, stores } from '#tests/support/stores.ts'

/** A document of any shape: to a store, what a collection is about makes no difference. */
export interface Thing {
  id: string
  [member: string]: unknown
}

/** Collections of every make that there is, under what makes them different. */
export const plain = 'messages'
/** Hides `due_at` and `claim`. */
export const hiding = 'runs'
/** Hides its `id`, and `owner_id`. */
export const keyed = 'tasks'
/** `token_hash` and `code_hash` are unique where they are not null. */
export const unique = 'claims'

type Name = typeof plain | typeof hiding | typeof keyed | typeof unique

export type ThingWrite =
  | { in: Name; insert: Thing; more?: string }
  | { in: Name; update: object; change: object }
  | { in: Name; update: object; replace: Thing }
  | { in: Name; delete: object }

export type Things = Record<Name, Collection<Thing>> &
  Omit<Store, keyof Record<Name, unknown> | 'commit'> & {
    commit(writes: readonly ThingWrite[]): Promise<void>
  }

export function things(store: Store): Things {
  // The suite stores shapes that the nouns do not know; the collections do not look at them.
  return store as unknown as Things
}

export function thing(id: string, members: object = {}): Thing {
  return { id, ...members }
}

/** Runs the sentences on every store, each with empty collections. */
export function describeStores(
  title: string,
  sentences: (use: () => Things, kind: StoreKind) => void,
): void {
  describe.each(stores())(`${title} ($name)`, (kind) => {
    let store: Things
    beforeAll(async () => {
      store = things(await kind.open())
    })
    beforeEach(async () => {
      await Promise.all(
        [plain, hiding, keyed, unique].map((name) => store[name as Name].delete({})),
      )
    })
    afterAll(async () => {
      await store.close()
    })
    sentences(() => store, kind)
  })
}

export function ids(documents: readonly { id: string }[]): string[] {
  return documents.map(({ id }) => id)
}
