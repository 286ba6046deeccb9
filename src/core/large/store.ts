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

type Definitions = Readonly<Record<string, CollectionDefinition>>

/** The members of all collections whose large values are kept apart. */
export function largeMembersOf(collections: Definitions): LargeMembers {
  return membersIn(collections, 'large')
}

function membersIn(collections: Definitions, kind: 'large' | 'rewritten'): LargeMembers {
  const all = Object.entries(collections).flatMap(([name, { [kind]: members }]) =>
    // The keys of the table are the names of collections.
    members ? [[name as CollectionName, members] as const] : [],
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
  collections: Definitions,
  ports: () => Needed,
): S {
  const members = largeMembersOf(collections)
  const rewritten = membersIn(collections, 'rewritten')
  const keeper = new Keeper(store, { members, rewritten }, ports)
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
  readonly #rewritten: LargeMembers
  readonly #ports: () => Needed

  constructor(
    store: Store,
    { members, rewritten }: { members: LargeMembers; rewritten: LargeMembers },
    ports: () => Needed,
  ) {
    this.#store = store
    this.#members = members
    this.#rewritten = rewritten
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
        const left = await this.#leftBy([write])
        const changed = concerns(this.#members, write) ? await this.#changed(write) : change
        const found = await own.update(filter, changed, options)
        await this.#release(left)
        return found && reads.document(found)
      },
      delete: async (filter) => {
        const left = await this.#leftBy([{ in: name, delete: filter } as Write])
        const count = await own.delete(filter)
        await this.#release(left)
        return count
      },
    }
  }

  async commit(writes: readonly Write[]): Promise<void> {
    const left = await this.#leftBy(writes)
    if (writes.some((write) => concerns(this.#members, write))) await this.#partedCommit(writes)
    else await this.#store.commit(writes)
    await this.#release(left)
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

  /** The values to which documents refer that are about to be deleted, or to have others in their place. */
  async #leftBy(writes: readonly Write[]): Promise<Set<string>> {
    const ids = new Set<string>()
    for (const write of writes) {
      const [of, filter] = this.#leavingBy(write)
      if (of.length === 0) continue
      const collection = this.#store[write.in] as unknown as Store['runs']
      // Hidden members of the collection.
      const paths = of.map(memberOfReference) as Parameters<typeof collection.pick>[0]
      const rows = await collection.pick(paths, filter)
      for (const row of rows) for (const id of row) if (typeof id === 'string') ids.add(id)
    }
    return ids
  }

  #leavingBy(write: Write): [members: readonly string[], filter: object] {
    if ('delete' in write) return [this.#members.get(write.in) ?? [], write.delete]
    if (!('change' in write)) return [[], {}]
    const { $set = {}, $unset = {} } = write.change
    const rewritten = this.#rewritten.get(write.in) ?? []
    return [rewritten.filter((name) => name in $set || name in $unset), write.update]
  }

  /** After that: what is missed here is found later. */
  async #release(ids: ReadonlySet<string>): Promise<void> {
    const ports = { store: this.#store, quotas: this.#ports().quotas }
    for (const id of ids) {
      await removedIfUnused(ports, this.#members, id).catch(() => undefined)
    }
  }
}
