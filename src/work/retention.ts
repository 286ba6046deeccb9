import type { Account } from '#src/accounts/account.ts'
import { erased } from '#src/departures/erase-account.ts'
import { closeIfIdle } from '#src/accounts/idle.ts'
import { recount } from '#src/accounts/recount.ts'
import type { Ports } from '#src/core/context.ts'
import { idsBefore } from '#src/core/ids.ts'
import { messageBytes } from '#src/agents/messages/bytes.ts'
import { removeMessages } from '#src/agents/messages/remove.ts'
import type { PurgedKind } from '#src/ports/meter.ts'
import { countOrder } from '#src/money/orders/bytes.ts'
import { expiredRuns, type Plan } from '#src/runs/retention/purge.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { ownExpired } from './own-retention.ts'

/** Steps of a walk that one tick takes: each is a page of runs, messages or events, or an account. */
const stepsAtOnce = 50
const accountsAtOnce = 50
/** Messages, events and orders that are looked at in one step. */
const rowsAtOnce = 50
/** A walk begins at most so often. */
const walkEveryMs = 600_000
/** Runs of claimed accounts are kept for long, so that they are looked through less often. */
const claimedEveryMs = 86_400_000
const dayMs = 86_400_000

export interface Retainer {
  /** Goes on with the walk; gives how many things went. */
  tick(now: Date): Promise<number>
}

/**
 * Removes what neither the operator's retention settings nor those of its account keep, in a walk over everything that
 * starts every ten minutes, and counts again, once a day, what can be. Any number of processes may do so at once.
 */
export function retainer(ports: Ports): Retainer {
  let walk: AsyncGenerator<number> | undefined
  let [walkAt, claimedAt] = [-Infinity, -Infinity]

  return {
    async tick(now) {
      if (!walk) {
        if (now.getTime() - walkAt < walkEveryMs) return 0
        walkAt = now.getTime()
        const isWide = walkAt - claimedAt >= claimedEveryMs
        if (isWide) claimedAt = walkAt
        walk = everything(ports, isWide)
      }
      let gone = 0
      try {
        for (let steps = 0; steps < stepsAtOnce; steps++) {
          const { value, done } = await walk.next()
          if (done) {
            walk = undefined
            return gone
          }
          gone += value
        }
      } catch (cause) {
        // It has ended; the next one begins in its time.
        walk = undefined
        throw cause
      }
      return gone
    },
  }
}

async function* everything(ports: Ports, isWide: boolean): AsyncGenerator<number> {
  yield* oldEvents(ports)
  yield* oldMessages(ports)
  yield* oldLetters(ports)
  yield* oldOrders(ports)
  yield* accounts(ports, isWide)
}

function told({ meter }: Ports, kind: PurgedKind, count: number): number {
  if (count > 0) meter.purged(kind, count)
  return count
}

function daysAgo(ports: Ports, days: number): Date {
  return new Date(ports.clock.now().getTime() - days * dayMs)
}

/** What happened to runs, found by the ids of the runs, which tell when they began. */
async function* oldEvents(ports: Ports): AsyncGenerator<number> {
  const { events: days } = ports.settings.retention
  if (days === Infinity) return
  const { run_events } = ports.store
  const old = daysAgo(ports, days)
  const page = { sort: { id: 1 }, limit: rowsAtOnce } as const
  for (let after = ''; ;) {
    const among = { id: { $gt: after, $lt: idsBefore('run', old) } }
    const found = await run_events.pick(['id', 'seq'], among, page)
    const ids = found.flatMap(([id, seq]) => (Number(seq) < old.getTime() ? [String(id)] : []))
    const gone = ids.length === 0 ? 0 : await run_events.delete({ id: { $in: ids } })
    yield told(ports, 'events', gone)
    const last = found.at(-1)
    if (!last || found.length < rowsAtOnce) return
    after = String(last[0])
  }
}

async function* oldMessages(ports: Ports): AsyncGenerator<number> {
  const { messages: days } = ports.settings.retention
  if (days === Infinity) return
  const among = { id: { $lt: idsBefore('msg', daysAgo(ports, days)) } }
  const page = { sort: { id: 1 }, limit: rowsAtOnce } as const
  for (;;) {
    const found = await ports.store.messages.find(among, page)
    const rows = found.map((message) => ({ message, bytes: messageBytes(message) }))
    for (const portion of portionsOf(rows)) {
      const messages = portion.map(({ message }) => message)
      yield told(ports, 'messages', await removeMessages(ports, messages))
    }
    if (found.length < rowsAtOnce) return
  }
}

/** Messages between members of the Commons; both sides keep how their conversation stands. */
async function* oldLetters(ports: Ports): AsyncGenerator<number> {
  const { messages: days } = ports.settings.retention
  if (days === Infinity) return
  const { commons_letters } = ports.store
  const old = { id: { $lt: idsBefore('msg', daysAgo(ports, days)) } }
  for (;;) {
    const found = await commons_letters.pick(['id'], old, { sort: { id: 1 }, limit: rowsAtOnce })
    const ids = found.map(([id]) => String(id))
    const gone = ids.length === 0 ? 0 : await commons_letters.delete({ id: { $in: ids } })
    yield told(ports, 'messages', gone)
    if (found.length < rowsAtOnce) return
  }
}

/** What has ended and moves no money any more; its lines in the wallets stay. */
async function* oldOrders(ports: Ports): AsyncGenerator<number> {
  const { orders: days } = ports.settings.retention
  if (days === Infinity) return
  const { store, quotas } = ports
  const old = daysAgo(ports, days).toISOString()
  const paths = [
    'id',
    'owner_id',
    'finished_at',
    'due_at',
    'checkout_id',
    'bytes',
    'sender',
  ] as const
  const page = { sort: { id: 1 }, limit: rowsAtOnce } as const
  for (let after = ''; ;) {
    const among = { id: { $gt: after, $lt: idsBefore('ord', daysAgo(ports, days)) } }
    const found = await store.orders.pick(paths, among, page)
    let gone = 0
    for (const [id, owner, finished, due, checkout, bytes, sender] of found) {
      if (typeof finished !== 'string' || finished >= old || due !== null) continue
      if ((await store.orders.delete({ id: String(id), due_at: null })) === 0) continue
      if (typeof checkout === 'string') await store.checkouts.delete({ id: checkout, due_at: null })
      const whose = { owner_id: String(owner), ...(typeof sender === 'string' && { sender }) }
      countOrder(quotas, whose, -Number(bytes ?? 0))
      gone += 1
    }
    yield told(ports, 'orders', gone)
    const last = found.at(-1)
    if (!last || found.length < rowsAtOnce) return
    after = String(last[0])
  }
}

async function* accounts(ports: Ports, isWide: boolean): AsyncGenerator<number> {
  const page = { sort: { id: 1 }, limit: accountsAtOnce } as const
  for (let after = ''; ;) {
    const found = await ports.store.accounts.find({ id: { $gt: after } }, page)
    for (const account of found) yield* one(ports, account, isWide)
    const last = found.at(-1)
    if (!last || found.length < accountsAtOnce) return
    after = last.id
  }
}

async function* one(ports: Ports, account: Account, isWide: boolean): AsyncGenerator<number> {
  const now = ports.clock.now()
  if (account.holder_id !== null && account.deleted_at === undefined && !isWide) return
  let completedAt = account.completed_at ?? ''
  for await (const { runs, completedAt: at } of expiredRuns(ports, plan(account), now)) {
    if (at !== null && at > completedAt) {
      completedAt = at
      // What has gone tells no more that the account was in use.
      await ports.store.accounts.update({ id: account.id }, { $set: { completed_at: at } })
    }
    yield told(ports, 'runs', runs)
  }
  if (isWide) {
    await recount(ports, account.id)
    for await (const [kind, count] of ownExpired(ports, account, now)) {
      yield told(ports, kind, count)
    }
  }
  for await (const gone of erased(ports, account, now)) yield told(ports, 'accounts', gone)
  const isClosed = await closeIfIdle(ports, { ...account, completed_at: completedAt }, now)
  yield told(ports, 'accounts', isClosed ? 1 : 0)
}

function plan({ id, holder_id, retention, deleted_at, closing_due_at }: Account): Plan {
  // What is under way of it ends first.
  const keepsNone = deleted_at !== undefined && closing_due_at === undefined
  return { id, holder_id, ownDays: retention?.runs ?? Infinity, keepsNone }
}
