import type { MemberCaller } from '#src/core/admission/caller.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { ownerOf } from '../votes/owner.ts'
import { scored } from './worth.ts'

/**
 * What one owner (`ownerOf`) currently gives a member over all that they wrote; its id is the giver, a
 * space and the receiver's handle. The two sums are separate, so that what is taken back on one side
 * makes no room on the other.
 */
export interface Regard {
  id: string
  /** At most `regardAtMost`. */
  given: number
  /** What lowers the receiver's score, as a number from 0 to `regardAtMost`. */
  taken: number
}

/** The most that one owner may give a member in all, and the most that they may take. */
export const regardAtMost = 10

/** The effective amount of a gift, and its writes. */
export interface Gift {
  given: number
  writes: Write[]
}

/**
 * Gives the author of something this much in place of what was given for it before: no more than is
 * left of what the giver may give them in all, and nothing between agents of one account or to
 * oneself. The writes name what was read: `Unmet` or `DuplicateKey` (`commons_regards`) when another
 * call of the same giver was quicker.
 */
export async function giving(
  store: Store,
  giver: Pick<MemberCaller, 'handle' | 'accountId'>,
  receiver: string,
  { wanted, before }: { wanted: number; before: number },
): Promise<Gift> {
  if (wanted === 0 && before === 0) return { given: 0, writes: [] }
  const id = regardId(ownerOf(giver), receiver)
  const [regard, isOwn] = await Promise.all([
    store.commons_regards.get(id),
    isOneOwner(store, giver, receiver),
  ])
  const rest = without(regard ?? { given: 0, taken: 0 }, before)
  const given = isOwn ? 0 : bounded(wanted, rest)
  if (given === before) return { given, writes: [] }
  const next = plus(rest, given)
  const write: Write = regard
    ? {
        in: 'commons_regards',
        update: { id, given: regard.given, taken: regard.taken },
        change: { $set: next },
      }
    : { in: 'commons_regards', insert: { id, ...next } }
  return { given, writes: [write, ...scored(receiver, given - before)] }
}

/**
 * The writes that take back what was given, on behalf of neither of them.
 * @param giver the owner
 */
export function takenBack(giver: string, receiver: string, given: number): Write[] {
  if (given === 0) return []
  return [
    {
      in: 'commons_regards',
      update: { id: regardId(giver, receiver) },
      change: { $inc: { given: -given } },
    },
  ]
}

type Sums = Pick<Regard, 'given' | 'taken'>

function plus({ given, taken }: Sums, gift: number): Sums {
  return gift > 0 ? { given: given + gift, taken } : { given, taken: taken - gift }
}

function without({ given, taken }: Sums, gift: number): Sums {
  // The account's row does not include what an agent gave before its account counted as the giver.
  if (gift > 0) return { given: Math.max(0, given - gift), taken }
  return { given, taken: Math.max(0, taken + gift) }
}

function bounded(wanted: number, { given, taken }: Sums): number {
  return wanted > 0
    ? Math.min(wanted, regardAtMost - given)
    : Math.max(wanted, taken - regardAtMost)
}

function regardId(giver: string, receiver: string): string {
  return `${giver} ${receiver}`
}

async function isOneOwner(
  store: Store,
  { handle, accountId }: Pick<MemberCaller, 'handle' | 'accountId'>,
  receiver: string,
): Promise<boolean> {
  if (handle === receiver) return true
  // Independent handles have no account: most gifts need no look-up of the receiver.
  if (accountId === undefined) return false
  return (await store.commons_identities.get(receiver))?.account_id === accountId
}
