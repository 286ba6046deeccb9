import type { CollectionDefinition, CollectionName } from '#src/ports/documents.ts'
import { DuplicateKey, Unmet, type Collection, type Store, type Write } from '#src/ports/store.ts'
import type { Ports } from '../context.ts'
import { WholeReads } from './reads.ts'
import { nextLook, removedIfUnused } from './unused.ts'
import { memberOfReference, type LargeValue } from './value.ts'
import { concerns, parted, type LargeMembers } from './writes.ts'

/** Of several that come with the same value at once, one may have to try again as often. */
const triesAtMost = 8

type Needed = Pick<Ports, 'clock' | 'quotas'>

/** The members of all collections whose large values are kept apart. */
export function largeMembersOf(
  collections: Readonly<Record<string, CollectionDefinition>>,
): LargeMembers {
  const all = Object.entries(collections).flatMap(([name, { large }]) =>
    // The keys of the table are the names of collections.
    large ? [[name as CollectionName, large] as const] : [],
  )
  return new Map(all)
}

/**
 * A store that keeps large values once, and shows every document with its own: what several documents of an account
 * hold is one document of `large_values`, which goes with the last of them.
 * @param ports called at the first write: they are made together with the store
 */
export function withLargeValues<S extends Store>(
  store: S,
  members: LargeMembers,
  ports: () => Needed,
): S {
  const keeper = new Keeper(store, members, ports)
  const wrapped = [...members].map(([name, of]) => [name, keeper.collection(name, of)])
  return {
    ...store,
    ...(Object.fromEntries(wrapped) as Partial<Store>),
    commit: (writes) => keeper.commit(writes),
    async texts(reads) {
      const found = await store.texts(reads)
      const whole = found.map(async (rows, i) => {
        const read = reads[i]
        const of = read && members.get(read.in)
        return of ? new WholeReads(store.large_values, of).rows(rows, read.options) : rows
      })
      return Promise.all(whole)
    },
  }
}

class Keeper {
  readonly #store: Store
  readonly #members: LargeMembers
  readonly #ports: () => Needed

  constructor(store: Store, members: LargeMembers, ports: () => Needed) {
    this.#store = store
    this.#members = members
    this.#ports = ports
  }

  collection(name: CollectionName, members: readonly string[]): Collection<{ id: string }> {
    // All collections have the same methods.
    const own = this.#store[name] as unknown as Collection<{ id: string }>
    const reads = new WholeReads(this.#store.large_values, members)
    return {
      ...own,
      async get(id) {
        const found = await own.get(id)
        return found && reads.document(found)
      },
      find: async (filter, options) => reads.documents(await own.find(filter, options), options),
      text: async (filter, options) => reads.rows(await own.text(filter, options), options),
      insert: async (document, options) => {
        const write = { in: name, insert: document } as Write
        await (concerns(this.#members, write)
          ? this.commit([write])
          : own.insert(document, options))
      },
      update: async (filter, change, options) => {
        const write = { in: name, update: filter, change } as Write
        const changed = concerns(this.#members, write) ? await this.#changed(write) : change
        const found = await own.update(filter, changed, options)
        return found && reads.document(found)
      },
      delete: async (filter) => {
        const gone = await this.#referredIn([{ in: name, delete: filter } as Write])
        const count = await own.delete(filter)
        await this.#release(gone)
        return count
      },
    }
  }

  async commit(writes: readonly Write[]): Promise<void> {
    const gone = await this.#referredIn(writes)
    if (writes.some((write) => concerns(this.#members, write))) await this.#partedCommit(writes)
    else await this.#store.commit(writes)
    await this.#release(gone)
  }

  async #partedCommit(writes: readonly Write[]): Promise<void> {
    const due = nextLook(this.#ports().clock.now())
    const { writes: kept, values } = await parted(this.#store, this.#members, writes, due)
    await this.#commitWith(kept, values)
  }

  async #commitWith(writes: readonly Write[], values: readonly LargeValue[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        // Last, so that the others keep their places.
        await this.#store.commit([...writes, ...(await this.#uses(values))])
        return
      } catch (cause) {
        const isOurs = cause instanceof Unmet || cause instanceof DuplicateKey
        if (!isOurs || cause.in !== 'large_values' || tries === triesAtMost) throw cause
      }
    }
  }

  /** The writes that keep these values: of one that is there already, that it is used again. */
  async #uses(values: readonly LargeValue[]): Promise<Write[]> {
    if (values.length === 0) return []
    const ids = values.map(({ id }) => id)
    const found = await this.#store.large_values.pick(['id'], { id: { $in: ids } })
    const there = new Set(found.map(([id]) => id))
    return values.map((value) => {
      if (!there.has(value.id)) return { in: 'large_values', insert: value }
      const change = { $set: { due_at: value.due_at }, $inc: { uses: 1 } }
      return { in: 'large_values', update: { id: value.id }, change }
    })
  }

  /** The change of one update, whose values are kept before it. */
  async #changed(write: Write) {
    const due = nextLook(this.#ports().clock.now())
    const { writes, values } = await parted(this.#store, this.#members, [write], due)
    if (values.length > 0) await this.#commitWith([], values)
    const [kept] = writes
    return kept && 'change' in kept ? (kept.change as object) : {}
  }

  /** The values that documents refer to which are about to be deleted. */
  async #referredIn(writes: readonly Write[]): Promise<Set<string>> {
    const ids = new Set<string>()
    for (const write of writes) {
      const of = 'delete' in write ? this.#members.get(write.in) : undefined
      if (!of || !('delete' in write)) continue
      const collection = this.#store[write.in] as unknown as Store['runs']
      const filter = write.delete as Parameters<typeof collection.pick>[1]
      // Hidden members of the collection.
      const paths = of.map(memberOfReference) as Parameters<typeof collection.pick>[0]
      for (const row of await collection.pick(paths, filter)) {
        for (const id of row) if (typeof id === 'string') ids.add(id)
      }
    }
    return ids
  }

  /** After they are deleted: what is missed here is found later. */
  async #release(ids: ReadonlySet<string>): Promise<void> {
    const ports = { store: this.#store, quotas: this.#ports().quotas }
    for (const id of ids) {
      await removedIfUnused(ports, this.#members, id).catch(() => undefined)
    }
  }
}
