import type { Ports } from '#src/core/context.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { Picked } from '#src/ports/store.ts'
import { countRun } from '#src/runs/retention/bytes.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** The content of a run in notifications, stored once for all targets, and deleted with the run. */
export interface PushBody {
  id: string
  run_id: string
  owner_id: string
  /** The bytes that every attempt sends. */
  body: string
  /** When it may be deleted, like the notifications that send it. RFC 3339. */
  keep_until: string
  /** The other account that started the run, if any: its share counts it. */
  sender?: string
  /** The bytes counted for it. */
  bytes: number
}

/** Bytes of the record in addition to the body. */
const recordBytes = 300

/** A body to store. */
export function newPushBody(
  { id: run_id, owner_id, sender }: Pick<StoredRun, 'id' | 'owner_id' | 'sender'>,
  body: string,
  keep_until: string,
): PushBody {
  return {
    id: newId('bdy'),
    run_id,
    owner_id,
    body,
    keep_until,
    ...(sender !== undefined && { sender }),
    bytes: recordBytes + body.length,
  }
}

/** Counts the bodies of a commit. */
export const countPushBodies: Effect = ({ quotas }, writes) => {
  for (const one of insertedInto('push_bodies', writes)) countRun(quotas, one, one.bytes)
}

/** The body that a notification sends; undefined if its run, and the body with it, is gone. */
export async function pushBodyOf(
  { push_bodies }: Pick<Ports['store'], 'push_bodies'>,
  { body, push_body }: Pick<StoredDelivery, 'body' | 'push_body'>,
): Promise<string | undefined> {
  return push_body === undefined ? body : (await push_bodies.get(push_body))?.body
}

type Needed = Pick<Ports, 'store' | 'quotas'>

const paths = ['id', 'owner_id', 'sender', 'bytes'] as const

/** Deletes the bodies of deleted runs. */
export async function removePushBodies(ports: Needed, runIds: readonly string[]): Promise<void> {
  const { push_bodies } = ports.store
  const ofThem = { run_id: { $in: runIds } }
  for (;;) {
    const rows = await push_bodies.pick(paths, ofThem, { limit: purgedAtOnce })
    await removed(ports, rows)
    if (rows.length < purgedAtOnce) return
  }
}

/** Purges bodies that were sent, unless a notification still needs one. */
export const purgePushBodies: Purge = async (ports, now) => {
  const { push_bodies, deliveries } = ports.store
  const expired = { keep_until: { $lt: timestamp(now) } }
  const sort = { keep_until: 1 } as const
  const rows = await push_bodies.pick(paths, expired, { sort, limit: purgedAtOnce })
  if (rows.length === 0) return false
  const pending = { push_body: { $in: rows.map(([id]) => String(id)) }, status: 'pending' } as const
  const needed = new Set((await deliveries.pick(['push_body'], pending)).map(([id]) => id))
  const $set = { keep_until: secondsAfter(now, 86_400) }
  for (const id of needed) await push_bodies.update({ id: String(id) }, { $set }, { lazy: true })
  await removed(
    ports,
    rows.filter(([id]) => !needed.has(id ?? null)),
  )
  return rows.length === purgedAtOnce
}

async function removed(
  { store: { push_bodies }, quotas }: Needed,
  rows: readonly Picked[],
): Promise<void> {
  const found = rows.map(([id, owner, sender, bytes]) => ({
    id: String(id),
    owner_id: String(owner),
    ...(typeof sender === 'string' && { sender }),
    bytes: Number(bytes),
  }))
  for (const portion of portionsOf(found)) {
    await Promise.all(
      portion.map(async (one) => {
        // If two processes delete it, only one returns the bytes that it counted.
        if ((await push_bodies.delete({ id: one.id })) > 0) countRun(quotas, one, -one.bytes)
      }),
    )
  }
}
