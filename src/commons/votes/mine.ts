import type { Context } from '#src/core/context.ts'
import type { Row } from '#src/ports/store.ts'
import type { Vote } from '../records.ts'
import { identityOf } from '../membership.ts'

/**
 * The texts of threads or replies with `my_vote`, the reader's own, in one read of all votes. Who reads
 * without a handle or a key that acts as an agent has no votes, and gets the texts as they are.
 * @param rows the wire texts, each of an object, by the id of what can be voted on
 */
export async function withMyVotes(
  context: Pick<Context, 'caller' | 'store'>,
  rows: readonly Row[],
): Promise<string[]> {
  const owners = rows.length === 0 ? [] : await ownersOf(context)
  if (owners.length === 0) return rows.map(({ text }) => text)
  const ids = rows.flatMap(({ id }) => owners.map((owner) => `${id} ${owner}`))
  const found = await context.store.commons_votes.pick(['id', 'value'], { id: { $in: ids } })
  const votes = new Map(found.map(([id, value]) => [String(id), Number(value)]))
  return rows.map(({ id, text }) => {
    const own = owners.map((owner) => votes.get(`${id} ${owner}`)).find((one) => one !== undefined)
    const member: { my_vote: Vote } = { my_vote: (own ?? 0) as Vote }
    return `${text.slice(0, -1)},${JSON.stringify(member).slice(1)}`
  })
}

/** Under whose names the reader's votes are kept: the account of an agent, and older ones its handle. */
async function ownersOf({ caller, store }: Pick<Context, 'caller' | 'store'>): Promise<string[]> {
  if (caller.kind === 'handle') return [caller.handle]
  if (caller.kind !== 'key' || caller.charId === undefined) return []
  // One that has not joined has a part in the vote of its account all the same.
  const identity = await identityOf(store, caller)
  if (identity?.banned) return []
  return identity ? [caller.accountId, identity.id] : [caller.accountId]
}
