import type { Clock } from '#src/ports/clock.ts'
import { endlessSpace, type Space } from '#src/ports/space.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { Refusal } from '../errors.ts'
import type { Limiter } from '../admission/limits.ts'
import { Received, runsOf, senderKey, type Share } from './received.ts'
import {
  limitIn,
  type Owner,
  type QuotaName,
  type QuotaTable,
  type Standing,
} from './quota-table.ts'
import { StoredBytes } from './stored-bytes.ts'
import { QueuedRuns } from './queued-runs.ts'

/** What an account holds. `bytes` follows the writes within seconds; the others are exact. */
export interface Usage {
  id: string
  agents: number
  apps: number
  bytes: number
  /** Changes with each friendship that its agents request, receive a request for, or accept. */
  friend_turns?: number
}

/** How many bytes a document counts: those of its JSON text. */
export function sizeOf(...documents: readonly unknown[]): number {
  return documents.reduce<number>((sum, one) => sum + (JSON.stringify(one)?.length ?? 0), 0)
}

/** The bytes of a list of documents of any length; one call takes only so many arguments. */
export function sizeOfAll(documents: readonly unknown[]): number {
  return documents.reduce<number>((sum, one) => sum + sizeOf(one), 0)
}

const daySeconds = 86_400

/** The quotas that count by time, and their windows in seconds. */
const windows = { runs_a_day: daySeconds, paid_calls_hour: 3600 } as const
type WindowName = keyof typeof windows

/** The quotas of which the use is counted here. */
export type CountedName = WindowName | 'agents' | 'apps' | 'stored_bytes'

const noPaidCallHint =
  "Wait for the next hour, or give the task the agent's own key of the provider as a secret. " +
  'A run of a task waits meanwhile for an agent that leases it.'

const answersPrefix = 'keys/'
const answersOfAll = `${answersPrefix}all`

/** The id under which answers count that are kept for a caller without an account. */
export function answersOf(caller: string): string {
  return answersPrefix + senderKey(caller)
}

/** Counts what accounts hold, and refuses when a quota is full. */
export interface Quotas {
  limitOf(name: QuotaName, owner: Standing): number
  /** @throws Refusal `quota_exceeded` when there is no room for one more. */
  admit(name: QuotaName, owner: Owner): Promise<void>
  /** The write that counts agents or apps, and fails the commit (`Unmet`) where there is no room. */
  counted(name: 'agents' | 'apps', by: number, owner: Owner): Write
  /** The room of the store: while it is scarce, unclaimed accounts get none. */
  readonly space: Pick<Space, 'room'>
  /** What others leave with accounts. */
  readonly received: Received
  /**
   * Whether there is no room for one more run started by someone else, in addition to the account's own.
   * @param isWaiting it is to be queued @returns the share that is used up, if there is one
   */
  lacksRuns(owner: Owner, sender: string, isWaiting: boolean): Promise<Share | undefined>
  /**
   * Whether one more answer may be kept for a caller without an account: within the caller's share and
   * within that of all of them. @param id of `answersOf` @throws Refusal `quota_exceeded`
   */
  admitKeys(id: string): Promise<void>
  /** Counts stored bytes of an account, or of answers by `answersOf`, in memory first. */
  addBytes(accountId: string, bytes: number): void
  /** The refusal that says which quota is full. */
  exceeded(name: QuotaName, owner: Standing): Refusal
  usage(owner: Owner): Promise<Record<CountedName, number>>
  /** How many runs of the account are queued, without those that others started. */
  queuedRuns(accountId: string): Promise<number>
  /** How many runs of the account wait for a paused task. */
  heldRuns(accountId: string): Promise<number>
  /** Writes the bytes counted in memory, and forgets those of others: each process calls it every few seconds. */
  settle(): Promise<void>
}

/** Quotas counted in a store. */
export function quotas(
  store: Store,
  limiter: Limiter,
  table: QuotaTable,
  clock: Pick<Clock, 'monotonic'>,
  space: Pick<Space, 'room'> = endlessSpace,
): Quotas {
  return new AccountQuotas(store, limiter, table, clock, space)
}

class AccountQuotas implements Quotas {
  readonly #store: Store
  readonly #limiter: Limiter
  readonly #table: QuotaTable
  readonly #queued: QueuedRuns
  readonly #bytes: StoredBytes
  readonly received: Received
  readonly space: Pick<Space, 'room'>

  constructor(
    store: Store,
    limiter: Limiter,
    table: QuotaTable,
    clock: Pick<Clock, 'monotonic'>,
    space: Pick<Space, 'room'>,
  ) {
    this.space = space
    this.#store = store
    this.#limiter = limiter
    this.#table = table
    this.#queued = new QueuedRuns(store, clock)
    this.#bytes = new StoredBytes(store, clock)
    this.received = new Received(this.#bytes)
  }

  limitOf(name: QuotaName, owner: Standing): number {
    return limitIn(this.#table, name, owner)
  }

  async admit(name: QuotaName, owner: Owner): Promise<void> {
    const limit = this.limitOf(name, owner)
    if (limit === Infinity) return
    if (name === 'runs_a_day' || name === 'paid_calls_hour') {
      if (limit === 0) throw this.exceeded(name, owner)
      const window = { count: limit, seconds: windows[name] }
      const state = await this.#limiter.take(name, window, owner.accountId)
      if (!state.admitted) throw this.exceeded(name, owner)
    } else if (name === 'queued_runs') {
      const queue = { accountId: owner.accountId, of: 'own' } as const
      if (!(await this.#queued.admit(queue, limit))) throw this.exceeded(name, owner)
    } else if (name === 'held_runs') {
      const held = { accountId: owner.accountId, of: 'held' } as const
      if (!(await this.#queued.admit(held, limit))) throw this.exceeded(name, owner)
    } else if (name === 'stored_bytes') {
      if (await this.#bytes.reaches(owner.accountId, limit)) throw this.exceeded(name, owner)
    } else if (name !== 'concurrent_runs') {
      const usage = await this.#store.usage.get(owner.accountId)
      if ((usage?.[name] ?? 0) >= limit) throw this.exceeded(name, owner)
    }
  }

  counted(name: 'agents' | 'apps', by: number, owner: Owner): Write {
    const limit = this.limitOf(name, owner)
    const room = by > 0 && limit !== Infinity ? { [name]: { $lte: limit - by } } : {}
    return {
      in: 'usage',
      update: { id: owner.accountId, ...room },
      change: { $inc: { [name]: by } },
    }
  }

  async lacksRuns(owner: Owner, sender: string, isWaiting: boolean): Promise<Share | undefined> {
    const { accountId } = owner
    const queued = isWaiting ? this.limitOf('queued_runs', owner) : Infinity
    const aDay = this.limitOf('runs_a_day', owner)
    const parts = [
      { share: 'sender', of: { sender }, subject: `${accountId}/from/${sender}` },
      { share: 'all', of: 'others', subject: `${accountId}/received` },
    ] as const
    for (const { share, of } of parts) {
      if (queued === Infinity) break
      if (!(await this.#queued.admit({ accountId, of }, runsOf(share, queued)))) return share
    }
    for (const { share, subject } of parts) {
      if (aDay === Infinity) break
      const window = { count: runsOf(share, aDay), seconds: daySeconds }
      if (!(await this.#limiter.take('runs_a_day', window, subject)).admitted) return share
    }
    return undefined
  }

  async admitKeys(id: string): Promise<void> {
    const storable = this.limitOf('stored_bytes', { claimed: false })
    if (storable === Infinity) return
    const hint =
      'An answer is kept for 24 hours. Use an API key, or make the call without an idempotency key.'
    if (await this.#bytes.reaches(id, Received.limitOf('sender', storable))) {
      throw new Refusal('quota_exceeded', 'Too much is kept for your idempotency keys.', {
        hint,
      })
    }
    if (!(await this.#bytes.reaches(answersOfAll, Received.limitOf('all', storable)))) return
    throw new Refusal(
      'quota_exceeded',
      'Too much is kept for idempotency keys of callers without an API key.',
      { hint },
    )
  }

  addBytes(accountId: string, bytes: number): void {
    this.#bytes.add(accountId, bytes)
    if (accountId.startsWith(answersPrefix)) this.#bytes.add(answersOfAll, bytes)
  }

  exceeded(name: QuotaName, owner: Standing): Refusal {
    const limit = this.limitOf(name, owner)
    const wider = owner.claimed
      ? 'Delete what is no longer needed, or ask the operator for a wider quota.'
      : 'Have a person open the claim link: a claimed account has wider quotas.'
    const hint = name === 'paid_calls_hour' ? noPaidCallHint : wider
    return new Refusal('quota_exceeded', `The quota ${name} of ${limit} is used up.`, { hint })
  }

  async usage(owner: Owner): Promise<Record<CountedName, number>> {
    const { row, bytes } = await this.#bytes.read(owner.accountId)
    return {
      agents: row?.agents ?? 0,
      apps: row?.apps ?? 0,
      runs_a_day: await this.#usedInWindow('runs_a_day', owner),
      paid_calls_hour: await this.#usedInWindow('paid_calls_hour', owner),
      // Counts in memory are lost with the process while what they counted is deleted later: never below 0.
      stored_bytes: Math.max(0, bytes),
    }
  }

  async #usedInWindow(name: WindowName, owner: Owner): Promise<number> {
    const count = this.limitOf(name, owner)
    if (count === Infinity || count === 0) return 0
    return this.#limiter.used(name, { count, seconds: windows[name] }, owner.accountId)
  }

  queuedRuns(accountId: string): Promise<number> {
    return this.#queued.count({ accountId, of: 'own' })
  }

  heldRuns(accountId: string): Promise<number> {
    return this.#queued.count({ accountId, of: 'held' })
  }

  settle(): Promise<void> {
    return this.#bytes.settle()
  }
}
