import type { Account } from '#src/accounts/account.ts'
import { refuse, Refusal } from '#src/core/errors.ts'
import { ownerOf } from '#src/core/counts/quota-table.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Filter } from '#src/ports/filter.ts'
import { Portion, retryable, retryPortion, type Retried } from '../retries/retry-all.ts'
import { retryOf, type Retrying } from '../retries/retry.ts'
import type { StoredRun } from '../run.ts'

type Needed = Omit<Retrying, 'caller'>

/** Runs of one step, between which progress is told. */
const atOnce = 100

/** Those of an account that may be retried: failed or timed out, for this reason or with this code where one is given. */
export function failedRuns(accountId: string, reason: string | undefined): Filter<StoredRun> {
  const among = { owner_id: accountId, status: { $in: ['failed', 'timed_out'] } }
  const why = reason === undefined ? {} : { $or: [{ reason }, { 'error.code': reason }] }
  return { ...retryable(among), ...why }
}

/**
 * Retries one run that has ended, in any way. @returns the id of the new run
 * @throws Refusal `run_not_found`, `quota_exceeded`, and as `retryOf`
 */
export async function retryRun(ports: Needed, id: string): Promise<string> {
  let isAdmitted = false
  return retryUnmet(async () => {
    const old = await ports.store.runs.get(id)
    const account = old && (await ports.store.accounts.get(old.owner_id))
    if (!old || !account) return refuse('run_not_found', `There is no run ${id}.`)
    const by = retrying(ports, account)
    const { run, writes } = await retryOf(by, old, {}, ports.clock.now())
    if (!isAdmitted) {
      await ports.quotas.admit('queued_runs', by.caller)
      await ports.quotas.admit('runs_a_day', by.caller)
    }
    isAdmitted = true
    await ports.store.commit(writes)
    return run.id
  })
}

/**
 * Retries the oldest of an account's runs that a filter matches, until so many were taken up or a quota is used up.
 * @throws Refusal `quota_exceeded` if there is no room for the first
 * @param told of each step: how many were retried so far
 */
export async function retryRuns(
  ports: Needed,
  account: Account,
  among: Filter<StoredRun>,
  most: number,
  told: (retried: number) => void,
): Promise<Retried & { isFull: boolean }> {
  const done: Retried = { retries: [], left_out: [], next: null }
  const by = retrying(ports, account)
  let cursor: string | undefined
  for (let left = most; left > 0;) {
    const limit = Math.min(left, atOnce)
    const portion = await Portion.of(ports, among, { limit, cursor }, 'operator')
    if (portion.ids.length === 0) break
    const step = await retryPortion(by, portion, {}).catch((cause: unknown) => {
      if (cause instanceof Refusal && cause.code === 'quota_exceeded') return cause
      throw cause
    })
    if (step instanceof Refusal) {
      if (done.retries.length === 0) throw step
      return { ...done, isFull: true }
    }
    const { retries, left_out, next } = step
    done.retries.push(...retries)
    done.left_out.push(...left_out)
    told(done.retries.length)
    if (left_out.some(({ reason }) => reason === 'quota_exceeded')) return { ...done, isFull: true }
    if (next === null) break
    cursor = next
    left -= portion.ids.length
  }
  return { ...done, isFull: false }
}

function retrying(ports: Needed, account: Account): Retrying {
  return { ...ports, caller: { kind: 'operator', ...ownerOf(account.id, account) } }
}
