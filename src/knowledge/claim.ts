import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'
import { dueOrLost, type Times } from '#src/core/turns/leases.ts'
import type { StoredItem } from './item.ts'

/** How long a reader holds an item after its last heartbeat, in seconds. */
const leaseSeconds = 60
/** How often a reader sends a heartbeat. */
export const beatSeconds = 15
/** Refreshes that join the queue at once. */
const refreshedAtOnce = 100

type Needed = Pick<Ports, 'store'>

/** How an item arrives: it was sent and is stored, or it is fetched from an address, which may take long. */
export type Lane = 'sent' | 'fetched'

/** Claims the item of this account that has waited longest; undefined if there is none. */
async function claimOf(
  { store }: Needed,
  owner: string,
  lane: Lane,
  times: Times,
): Promise<StoredItem | undefined> {
  const { now, leases } = times
  const due = { upload: lane === 'sent', queue: owner, ...dueOrLost(times) }
  const change = {
    $set: {
      status: 'fetching',
      claim: newId('wrk'),
      due_at: secondsAfter(leases, leaseSeconds),
      updated_at: timestamp(now),
    },
    $inc: { attempts: 1, turn: 1 },
  } as const
  return store.knowledge_items.update(due, change, { sort: { due_at: 1 } })
}

/** Claims items of a lane account by account, so that no account waits for everything another one has sent. */
export class Turns {
  readonly #store: Needed['store']
  readonly #lane: Lane
  #last = ''

  constructor({ store }: Needed, lane: Lane) {
    this.#store = store
    this.#lane = lane
  }

  /** The next due item of an account that has room; undefined if there is none. */
  async next(times: Times, hasRoom: (owner: string) => boolean): Promise<StoredItem | undefined> {
    const begun = this.#last
    for (let isOnceRound = false; ;) {
      const owner = await this.#ownerAfter(this.#last, times)
      if (owner === undefined) {
        if (isOnceRound || this.#last === '') return undefined
        isOnceRound = true
        this.#last = ''
        continue
      }
      if (isOnceRound && owner > begun) return undefined
      this.#last = owner
      if (!hasRoom(owner)) continue
      const item = await claimOf({ store: this.#store }, owner, this.#lane, times)
      // Otherwise another process claimed it first.
      if (item) return item
    }
  }

  async #ownerAfter(last: string, times: Times): Promise<string | undefined> {
    const due = { upload: this.#lane === 'sent', queue: { $gt: last }, ...dueOrLost(times) }
    const [item] = await this.#store.knowledge_items.find(due, {
      sort: { queue: 1, due_at: 1 },
      limit: 1,
    })
    return item?.queue ?? undefined
  }
}

/** Extends the claim; false if the item no longer belongs to this reader. */
export async function keptOn({ store }: Needed, { id, claim }: StoredItem): Promise<boolean> {
  const due_at = secondsAfter(await store.leaseTime(), leaseSeconds)
  return (await store.knowledge_items.update({ id, claim }, { $set: { due_at } })) !== undefined
}

/** Gives the item back for the next reader, as if it had not been tried. */
export async function handBack({ store }: Needed, { id, claim }: StoredItem): Promise<void> {
  const due_at = timestamp(await store.now())
  const change = {
    $set: { status: 'queued', claim: null, due_at },
    $inc: { attempts: -1, turn: 1 },
  } as const
  await store.knowledge_items.update({ id, claim }, change)
}

/** Queues items whose refresh is due; returns how many. */
export async function refreshDue({ store }: Needed, now: Date): Promise<number> {
  const at = timestamp(now)
  const due = await store.knowledge_items.find(
    { refresh_at: { $lte: at } },
    { sort: { refresh_at: 1 }, limit: refreshedAtOnce },
  )
  for (const { id, turn, owner_id } of due) {
    if ((await store.accounts.get(owner_id))?.closed_at) {
      await store.knowledge_items.update({ id, turn }, { $set: { refresh_at: null } })
      continue
    }
    const waiting = { status: 'queued', queue: owner_id, due_at: at, refresh_at: null } as const
    const change = { $set: { ...waiting, attempts: 0 }, $inc: { turn: 1 } }
    await store.knowledge_items.update({ id, turn }, change)
  }
  return due.length
}
