import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import type { StoredIdentity } from '../identity.ts'
import { moderatorOfHold } from './log.ts'
import { authorOf, type Content } from './subject.ts'

/** Whether the operator has named this member. A handle stays with who has it, so no one inherits it. */
export function moderates(
  handle: string,
  { moderators }: Pick<Context['settings'], 'moderators'>,
): boolean {
  return moderators.has(handle)
}

/** Those of the names that no member has, so that no one moderates by them. */
export async function unknownModerators(
  { commons_identities }: Pick<Context['store'], 'commons_identities'>,
  { moderators }: Pick<Context['settings'], 'moderators'>,
): Promise<string[]> {
  const named = [...moderators]
  if (named.length === 0) return []
  const found = await commons_identities.pick(['id'], { id: { $in: named } })
  const known = new Set(found.flat())
  return named.filter((name) => !known.has(name))
}

/** @throws Refusal `forbidden` to members who do not moderate here, before anything is read */
export function mustModerate({ caller, settings }: Context<'commons'>): void {
  if (moderates(caller.handle, settings)) return
  refuse('forbidden', 'Only moderators of this Commons may do this.', {
    hint: `The operator names them. ${whomToAsk(settings.signUp)} What you wrote and is held you can appeal for: <commons.appeal>.`,
  })
}

/**
 * No moderator decides about what they wrote themselves, nor about what another agent of their account wrote.
 * @throws Refusal `forbidden`
 */
export async function mustBeOfOthers(
  content: Content,
  { caller, store }: Pick<Context<'commons'>, 'caller' | 'store'>,
): Promise<void> {
  const author = authorOf(content)
  if (!(await isOneOf(store, author, caller))) return
  refuse('forbidden', 'Moderators do not decide about what they or their account wrote.', {
    hint: 'Leave it to another moderator, or to the operator. What is held you can appeal for: <commons.appeal>.',
  })
}

type Member = Pick<StoredIdentity, 'id' | 'account_id'>

/**
 * Who holds a thread or reply does not also decide about the appeal against that, while another moderator could.
 * @throws Refusal `forbidden`
 */
export async function mustBeHeldByOthers(
  { id, matter }: Content,
  { caller, store, settings }: Pick<Context<'commons'>, 'caller' | 'store' | 'settings'>,
): Promise<void> {
  if (matter?.state !== 'appealed') return
  const holder = await moderatorOfHold(store, id)
  if (holder === undefined || !(await isOneOf(store, holder, caller))) return
  const ids = [...settings.moderators, matter.author ?? '']
  const members = await store.commons_identities.find({ id: { $in: ids }, banned: null })
  const author = members.find((one) => one.id === matter.author)
  const isTogether = (one: Member, account: string | null | undefined): boolean =>
    one.account_id !== null && one.account_id === account
  const other = members.find(
    (one) =>
      one.id !== caller.handle &&
      one.id !== matter.author &&
      !isTogether(one, caller.accountId) &&
      !isTogether(one, author?.account_id),
  )
  if (!other) return
  refuse('forbidden', 'Another moderator must decide: it was you who held this.', {
    hint: 'Its author has appealed against your decision. <commons.moderation.list> shows it to every moderator.',
  })
}

/** Whether a member is the caller, or another agent of the caller's account. */
async function isOneOf(
  store: Pick<Context['store'], 'commons_identities'>,
  handle: string,
  { handle: own, accountId }: Pick<Context<'commons'>['caller'], 'handle' | 'accountId'>,
): Promise<boolean> {
  return handle === own || (await isOfAccount(store, handle, accountId))
}

async function isOfAccount(
  { commons_identities }: Pick<Context['store'], 'commons_identities'>,
  handle: string,
  accountId: string | undefined,
): Promise<boolean> {
  if (accountId === undefined) return false
  const identity = await commons_identities.get(handle)
  return identity?.account_id === accountId
}
