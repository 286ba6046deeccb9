import type { Ports } from '../context.ts'
import type { Quotas } from '../counts/quotas.ts'
import { insertedInto, type Effect } from '../effects.ts'
import { timestamp } from '../time.ts'
import type { Purge } from '../counts/purge.ts'
import { memberOfReference, type Holder } from './value.ts'
import type { LargeMembers } from './writes.ts'

/** Values that are looked at in one go. */
const atOnce = 50
/** What was missed when its last document went is found within so long. */
const lookEveryMs = 86_400_000

type Needed = Pick<Ports, 'store'> & { quotas: Pick<Quotas, 'addBytes' | 'received'> }

/** When a value is looked at again. */
export function nextLook(now: Date): string {
  return timestamp(new Date(now.getTime() + lookEveryMs))
}

function count({ quotas }: Pick<Needed, 'quotas'>, whose: Holder, bytes: number): void {
  if (whose.sender === undefined) quotas.addBytes(whose.owner_id, bytes)
  else quotas.received.add(whose.owner_id, whose.sender, bytes)
}

/** Counts the large values of a commit, each once for its account. */
export const countLargeValues: Effect = (ports, writes) => {
  for (const value of insertedInto('large_values', writes)) count(ports, value, value.bytes)
}

/** Deletes a value that nothing refers to any more, and gives back its bytes. @returns whether it is gone */
export async function removedIfUnused(
  ports: Needed,
  members: LargeMembers,
  id: string,
): Promise<boolean> {
  const { large_values } = ports.store
  const paths = ['uses', 'owner_id', 'sender', 'bytes'] as const
  const [row] = await large_values.pick(paths, { id }, { limit: 1 })
  if (!row) return true
  if (await isReferredTo(ports, members, id)) return false
  const [uses, owner, sender, bytes] = row
  // A commit that came to refer to it since has counted a use in the same commit.
  if ((await large_values.delete({ id, uses: Number(uses) })) === 0) return false
  const whose = { owner_id: String(owner), ...(typeof sender === 'string' && { sender }) }
  count(ports, whose, -Number(bytes))
  return true
}

async function isReferredTo(
  { store }: Needed,
  members: LargeMembers,
  id: string,
): Promise<boolean> {
  for (const [name, of] of members) {
    for (const member of of) {
      // The same reads for each collection; hidden members of references have an index.
      const collection = store[name] as unknown as Ports['store']['runs']
      const filter = { [memberOfReference(member)]: id } as Parameters<typeof collection.pick>[1]
      if ((await collection.pick(['id'], filter, { limit: 1 })).length > 0) return true
    }
  }
  return false
}

/** Looks for values that nothing refers to, each once a day: what a crash has left is found so. */
export function purgeOfLargeValues(members: LargeMembers): Purge {
  return async (ports, now) => {
    const { large_values } = ports.store
    const due = { due_at: { $lte: timestamp(now) } }
    const rows = await large_values.pick(['id'], due, { sort: { due_at: 1 }, limit: atOnce })
    for (const [id] of rows) {
      await ports.clock.turn()
      if (await removedIfUnused(ports, members, String(id))) continue
      await large_values.update({ id: String(id) }, { $set: { due_at: nextLook(now) } })
    }
    return rows.length === atOnce
  }
}
