import type { CollectionName } from '#src/ports/documents.ts'
import type { Store, Write } from '#src/ports/store.ts'
import {
  isLarge,
  keptApart,
  markOf,
  memberOfReference,
  type Holder,
  type LargeValue,
} from './value.ts'

/** The members of each collection whose large values are kept apart. */
export type LargeMembers = ReadonlyMap<CollectionName, readonly string[]>

/** What is written is looked at by the names of its members: one way for all collections. */
type Members = Record<string, unknown>

/** A commit with references in the place of large values. */
export interface Parted {
  writes: readonly Write[]
  /** Each of them once. */
  values: LargeValue[]
}

/** Whether a write touches what may be kept apart, or refers to it. */
export function concerns(members: LargeMembers, write: Write): boolean {
  return partOf(members, write) !== undefined
}

function partOf(members: LargeMembers, write: Write): Members | undefined {
  const names = members.get(write.in)
  if (!names || 'delete' in write) return undefined
  if ('change' in write) {
    const { $set = {}, $unset = {} } = write.change
    return names.some((name) => name in $set || name in $unset) ? { ...$set } : undefined
  }
  const whole = { ...('insert' in write ? write.insert : write.replace) } as Members
  return names.some((name) => isLarge(whole[name])) ? whole : undefined
}

/**
 * Takes large values out of the writes of a commit. An update tells not whose its document is, so that is read.
 * @param due_at when it is first looked for what refers to them
 */
export async function parted(
  store: Store,
  members: LargeMembers,
  writes: readonly Write[],
  due_at: string,
): Promise<Parted> {
  const values = new Map<string, LargeValue>()
  const kept: Write[] = []
  for (const write of writes) kept.push(await one(write))
  return { writes: kept, values: [...values.values()] }

  async function one(write: Write): Promise<Write> {
    const part = partOf(members, write)
    if (!part) return write
    const names = members.get(write.in) ?? []
    const large = names.filter((name) => isLarge(part[name]))
    const holder = large.length === 0 ? undefined : await holderOf(write, part)
    const references: Members = {}
    if (holder) {
      for (const name of large) {
        const value = keptApart(part[name], holder, due_at)
        values.set(value.id, value)
        part[name] = markOf(value.id)
        references[memberOfReference(name)] = value.id
      }
    }
    if (!('change' in write)) {
      const document = { ...part, ...references }
      // The same document, with what its members refer to in their place.
      return (
        'insert' in write ? { ...write, insert: document } : { ...write, replace: document }
      ) as Write
    }
    const { $unset } = write.change
    const touched = names.filter((name) => name in part || name in ($unset ?? {}))
    const gone = touched.map(memberOfReference).filter((name) => !(name in references))
    const unset = { ...$unset, ...Object.fromEntries(gone.map((name) => [name, true])) }
    const change = { ...write.change, $set: { ...part, ...references }, $unset: unset }
    return { ...write, change }
  }

  async function holderOf(write: Write, part: Members): Promise<Holder | undefined> {
    const { owner_id, sender } = part
    if (!('change' in write) && typeof owner_id === 'string') {
      return { owner_id, ...(typeof sender === 'string' && { sender }) }
    }
    if (!('update' in write)) return undefined
    // All collections with such members have both.
    const collection = store[write.in] as unknown as Store['runs']
    const filter = write.update as Parameters<Store['runs']['pick']>[1]
    const [row] = await collection.pick(['owner_id', 'sender'], filter, { limit: 1 })
    if (!row) return undefined
    return { owner_id: String(row[0]), ...(typeof row[1] === 'string' && { sender: row[1] }) }
  }
}
