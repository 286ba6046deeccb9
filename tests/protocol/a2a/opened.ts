import { afterAll, beforeAll } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { openA2a, type A2aWorld } from '#tests/protocol/a2a-harness.ts'
import { oneStore } from '#tests/support/stores.ts'

/** A door with an account, for the tests of one file. */
export interface Opened {
  a2a: A2aWorld
  key: string
}

/**
 * Opens a door before the tests of the file, and closes it after them.
 * @param character an agent of the account, if the tests need one
 */
export function openedA2a(character?: object): Opened {
  let store: Store
  const opened: Partial<Opened> = {}
  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is always one store')
    store = await kind.open()
    opened.a2a = openA2a(store)
    opened.key = (await opened.a2a.account()).key
    if (character) await opened.a2a.ask('characters.create', { character }, opened.key)
  })
  afterAll(async () => {
    await opened.a2a?.door.close()
    await store.close()
  })
  // Both are there once the tests run.
  return opened as Opened
}
