import { refuse } from '#src/core/errors.ts'
import type { Settings } from '#src/core/settings.ts'
import { call } from '#src/core/words/reference.ts'
import type { Write } from '#src/ports/store.ts'
import type { Account } from './account.ts'
import { noticeTo } from './notice.ts'

/** What an account leaves to persons. */
export interface AccountPolicy {
  approvals_need_person: boolean
  key_spend_cents_a_day: number | null
}

/** The policy of an account; off where it has none. */
export function policyOf(account: Account | undefined): AccountPolicy {
  return {
    approvals_need_person: account?.approvals_need_person ?? false,
    key_spend_cents_a_day: account?.key_spend_cents_a_day ?? null,
  }
}

/** The members that differ. */
export function policyChanged(before: AccountPolicy, after: AccountPolicy): string[] {
  return [
    ...(before.approvals_need_person === after.approvals_need_person
      ? []
      : ['approvals_need_person']),
    ...(before.key_spend_cents_a_day === after.key_spend_cents_a_day
      ? []
      : ['key_spend_cents_a_day']),
  ]
}

/** Whether keys may do more by the second one: no key may bring that about. */
export function isLoosened(before: AccountPolicy, after: AccountPolicy): boolean {
  if (before.approvals_need_person && !after.approvals_need_person) return true
  const [was, is] = [before.key_spend_cents_a_day, after.key_spend_cents_a_day]
  return was !== null && (is === null || is > was)
}

/** @throws Refusal `person_needed` where a key would let keys do more */
export function onlyPersonLoosens({ publicUrl }: Pick<Settings, 'publicUrl'>): never {
  return refuse(
    'person_needed',
    'Only a signed-in person may let the keys of the account do more.',
    {
      hint: `An owner of the account does it at ${publicUrl}/settings.`,
    },
  )
}

/** The notice of a changed policy. @param by who changed it, as `byWhom` says it */
export function policyNotice(
  accountId: string,
  { changed, by }: { changed: readonly string[]; by: string },
  now: Date,
): Write {
  const message = `What the account leaves to persons was changed${by}: ${changed.join(', ')}. ${call('account.audit')} says who did it.`
  return noticeTo(accountId, 'policy.changed', message, {}, now)
}
