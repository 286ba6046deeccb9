import type { Account } from '#src/accounts/account.ts'
import { endOfConnections } from '#src/accounts/hosts/end.ts'
import { mailTo } from '#src/accounts/mail/mail.ts'
import { deletedWords } from '#src/accounts/mail/words.ts'
import { addressesOf } from '#src/accounts/members/who.ts'
import { personsWith, accountRoles } from '#src/core/authorization/account-roles.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

const mailSeconds = 86_400

/** The name that is typed to delete an account: its own, or the address of the person that it was made with. */
export function nameToType({ name, id }: Pick<Account, 'name' | 'id'>, email?: string): string {
  return name?.trim() || (email ?? id)
}

/**
 * The writes that delete an account: it is closed for everyone at once, and what it has goes by the purge.
 * @throws Unmet where it was closed meanwhile
 */
export async function accountGone(
  { store }: Pick<Ports, 'store'>,
  { id }: Pick<Account, 'id'>,
  now: Date,
): Promise<Write[]> {
  const at = timestamp(now)
  const closing = { closed_at: at, closing_due_at: at, deleted_at: at, name: null }
  return [
    { in: 'accounts', update: { id, closed_at: null }, change: { $set: closing } },
    { in: 'memberships', delete: { account_id: id } },
    { in: 'member_invitations', delete: { account_id: id } },
    ...(await endOfConnections(store, { account_id: id }, now)),
  ]
}

/** What binds the deletion to an empty wallet, or to one that is given up. @throws Refusal `wallet_not_empty` */
export async function withoutMoney(
  { wallets }: Pick<Store, 'wallets'>,
  accountId: string,
  isGivenUp: boolean,
): Promise<Write[]> {
  const wallet = await wallets.get(accountId)
  if (!wallet) return []
  const { id, revision, currency, available_cents, pending_cents, held_cents } = wallet
  const bound_cents = pending_cents + held_cents
  if (available_cents + bound_cents > 0 && !isGivenUp) {
    refuse('wallet_not_empty', 'There is money in the wallet of the account.', {
      hint: 'Spend it or have it paid out first, or give it up with waive_balance: it stays in the books, and is no one’s.',
      members: { currency, available_cents, bound_cents },
    })
  }
  return [{ in: 'wallets', update: { id, revision }, change: { $set: { revision } } }]
}

/** The mails that tell everyone of the account that it is deleted; none where none are sent. */
export async function mailsOfDeletion(
  ports: Pick<Ports, 'store' | 'clock' | 'sealer' | 'settings' | 'mailer'>,
  { id }: Account,
  called: string,
): Promise<Write[]> {
  const { store, settings, mailer } = ports
  if (!mailer) return []
  const persons = await personsWith(store, id, accountRoles)
  const addresses = await addressesOf(store, [...persons])
  const about = { kind: 'deleted', accountId: null, holdsSeconds: mailSeconds } as const
  const mails: Write[] = []
  for (const to of addresses.values()) {
    const words = deletedWords({ settings, email: to, address: settings.publicUrl }, called)
    mails.push(...(await mailTo(ports, { ...about, to, ...words })))
  }
  return mails
}
