import type { OpenedStore } from '#adapters/store/opened.ts'
import type { KnowledgeItem, StoredItem } from '#src/knowledge/item.ts'
import { librarian } from '#src/work/knowledge.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { memoryFiles } from '#tests/support/kept-files.ts'
import type { StoreKind } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { settled } from './settled.ts'

/** A piece of something that the agent knows, as far as tests look at it. */
export interface Piece {
  item_id: string
  title: string
  text: string
}

/** A world with one agent, `ada`, whose time stands still until a test moves it. */
export interface Library {
  store: OpenedStore
  clock: FakeClock
  files: ReturnType<typeof memoryFiles>
  world: World
  key: string
  accountId: string
  /** Another world on the same store. */
  anotherWorld: (options: WorldOptions, on?: OpenedStore) => World
  /** Calls an operation on the agent. */
  ask: <T = KnowledgeItem>(name: string, input: object) => Promise<T>
  add: (content: string, title?: string) => Promise<KnowledgeItem>
  addRead: (content: string, title?: string) => Promise<StoredItem>
  item: (id: string) => Promise<StoredItem>
  search: (q: string, limit?: number) => Promise<Piece[]>
  /** The stored bytes of the account. */
  bytes: () => Promise<number>
  /** Deletes what is to be forgotten by now. */
  swept: () => Promise<void>
  close: () => Promise<void>
}

export async function openLibrary(kind: StoreKind, options: WorldOptions = {}): Promise<Library> {
  const opened = await kind.open()
  const clock = fakeClock()
  // The store's clock is the test's.
  const store: OpenedStore = {
    ...opened,
    now: () => Promise.resolve(clock.now()),
    leaseTime: () => Promise.resolve(clock.now()),
  }
  const files = memoryFiles()
  const anotherWorld: Library['anotherWorld'] = (more, on = store) =>
    openWorld(on, { clock, files, ...options, ...more })
  const world = anotherWorld({})
  const { key, id: accountId } = await world.account()
  await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  const ask: Library['ask'] = (name, input) => world.ask(name, { char_id: 'ada', ...input }, key)
  const item = async (id: string): Promise<StoredItem> => {
    const found = await store.knowledge_items.get(id)
    if (!found) throw new Error(`there is no item ${id}`)
    return found
  }
  const add: Library['add'] = (content, title = 'T') =>
    ask('knowledge.texts.add', { title, content })
  return {
    store,
    clock,
    files,
    world,
    key,
    accountId,
    anotherWorld,
    ask,
    add,
    item,
    async addRead(content, title) {
      const { id } = await add(content, title)
      await settled(world.ports, [id])
      return item(id)
    },
    async search(q, limit = 10) {
      return (await ask<{ items: Piece[] }>('knowledge.search', { q, limit })).items
    },
    async bytes() {
      return (await world.ports.quotas.usage({ accountId, claimed: false })).stored_bytes
    },
    async swept() {
      const reader = librarian(world.ports, () => undefined)
      const due = { due_at: { $lte: clock.now().toISOString() } }
      await until(async () => {
        await reader.tick()
        return (await store.knowledge_remains.count(due)) === 0
      })
      await reader.stop()
    },
    async close() {
      await world.ports.extractor.close()
      await store.close()
    },
  }
}
