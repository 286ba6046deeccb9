import { senderKey, type Share } from '#src/core/counts/received.ts'
import type { Context, Ports } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import { ownerOf, type Owner } from '#src/core/counts/quota-table.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** Something that a sender wants to leave with an account. */
export interface Leaving {
  /** The sender, by `senderOf`; undefined for the account itself and for a holder of one of its secrets. */
  sender: string | undefined
  bytes: number
}

/** Who leaves something with an account; undefined if it is the account itself. */
export function senderOf(
  { caller, address }: Pick<Context, 'caller' | 'address'>,
  accountId: string,
): string | undefined {
  if (caller.accountId === accountId) return undefined
  // All keys of an account are one sender, and so are all callers of a network without a credential.
  return senderKey(caller.accountId ?? caller.subject ?? `address:${address}`)
}

/**
 * What others leave with an account counts for that account: it needs room there, and in the share for
 * others.
 * @throws Refusal `quota_exceeded`, worded for those others
 */
export async function admitBytesOf(
  { store, quotas }: Needed,
  accountId: string,
  leaving?: Leaving,
): Promise<void> {
  const account = await store.accounts.get(accountId)
  await roomFor({ quotas }, ownerOf(accountId, account), leaving)
}

/** The same for an account that is already read. @throws Refusal `quota_exceeded` */
export async function roomFor(
  { quotas }: Pick<Ports, 'quotas'>,
  owner: Owner,
  leaving?: Leaving,
): Promise<void> {
  await quotas.admit('stored_bytes', owner).catch((cause: unknown) => {
    if (!(cause instanceof Refusal) || cause.code !== 'quota_exceeded') throw cause
    refuse('quota_exceeded', "The quota stored_bytes of the agent's account is used up.", {
      hint: 'Its owner has to make room; try again later.',
      cause,
    })
  })
  if (leaving?.sender === undefined) return
  const { sender, bytes } = leaving
  const storable = quotas.limitOf('stored_bytes', owner)
  const share = await quotas.received.lacks(owner.accountId, sender, bytes, storable)
  if (share) refuse('quota_exceeded', full[share], { hint: hints[share] })
}

const full: Record<Share, string> = {
  sender: "There is no room for this in what one sender may leave with the agent's account.",
  all: "There is no room for this in what others may leave with the agent's account.",
}

const hints: Record<Share, string> = {
  sender: 'Send less, or wait until what you sent before is deleted.',
  all: 'Its owner has to delete runs and messages, or they expire; try again later.',
}
