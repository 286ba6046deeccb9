import { overLimit } from '#src/core/admission/limits-of.ts'
import { digest, isToken } from '#src/core/ids.ts'
import type { Limiter, LimitTable } from '#src/core/admission/limits.ts'
import { isMap } from '#src/core/maps.ts'
import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import {
  closedSignUp,
  uninvited,
  unknownInvitation,
  type Invitations,
} from '#src/core/admission/sign-up.ts'
import { timestamp } from '#src/core/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { linkEndsAt } from './claim-link.ts'
import { invitedBy, isFor, voidWords } from './members/invitation.ts'
import { emailKey } from './people/person.ts'

/** What the admission of newcomers needs. */
export interface Guests {
  store: Pick<Store, 'invitations' | 'claims' | 'member_invitations' | 'accounts' | 'memberships'>
  clock: Clock
  limiter: Limiter
  limits: LimitTable
  signUp: SignUp
}

/** Admits newcomers: by an invitation or, at registering, by a claim link or an invitation into an account. */
export function invitations({ store, clock, limiter, limits, signUp }: Guests): Invitations {
  return {
    async admit(op, input, address) {
      if (signUp.mode === 'open') return []
      const code = textIn(input, 'invitation')
      const isInvited = op.admitsInvited && code !== undefined && isToken(code, 'abm')
      if (signUp.mode === 'closed' && !isInvited) throw closedSignUp(op, signUp)
      if (code === undefined) throw uninvited(op, signUp)
      if (limits.invitations) {
        // Counted before the code is looked up, so that a right guess is refused like a wrong one.
        const state = await limiter.take('invitations', limits.invitations, address)
        if (!state.admitted) throw overLimit(state)
      }
      const now = clock.now()
      const use = isInvited
        ? await useOfMembers(store, { code, email: textIn(input, 'email') ?? '' }, now)
        : isToken(code, 'inv')
          ? await useOfInvitation(store, code, now)
          : op.name === 'auth.register'
            ? await useOfClaim(store, code, now)
            : undefined
      if (!use) throw unknownInvitation(signUp)
      return [use]
    },
  }
}

function textIn(input: unknown, member: 'invitation' | 'email'): string | undefined {
  const sent = isMap(input) ? input[member] : undefined
  // People copy codes together with the whitespace around them.
  return typeof sent === 'string' ? sent.trim() || undefined : undefined
}

/** Of many newcomers with the same code at once, as many are admitted as it has uses left. */
async function useOfInvitation(
  store: Pick<Store, 'invitations'>,
  code: string,
  now: Date,
): Promise<Write | undefined> {
  const id = digest(code)
  const invitation = await store.invitations.get(id)
  const at = timestamp(now)
  if (!invitation || invitation.uses_left < 1 || invitation.expires_at <= at) return undefined
  return {
    in: 'invitations',
    update: { id, uses_left: { $gt: 0 }, expires_at: { $gt: at } },
    change: { $inc: { uses_left: -1 } },
  }
}

/** An invitation into an account admits the one person whom it is for. */
async function useOfMembers(
  store: Guests['store'],
  { code, email }: { code: string; email: string },
  now: Date,
): Promise<Write | undefined> {
  const found = await invitedBy(store, code)
  if (!found) return undefined
  const { invitation } = found
  const isFresh = invitation.used_at === null && invitation.admitted_at === undefined
  if (!isFresh || !isFor(invitation, { email_key: emailKey(email) })) return undefined
  if ((await voidWords(store, found, now)) !== undefined) return undefined
  return {
    in: 'member_invitations',
    update: { id: invitation.id, used_at: null, admitted_at: null },
    change: { $set: { admitted_at: timestamp(now) } },
  }
}

/** A claim link also admits one person, who is to take over the account. */
async function useOfClaim(
  store: Pick<Store, 'claims'>,
  code: string,
  now: Date,
): Promise<Write | undefined> {
  if (!isToken(code, 'act')) return undefined
  const [claim] = await store.claims.find({ code_hash: digest(code) }, { limit: 1 })
  const isOpen = claim?.status === 'active' && claim.admitted_at === undefined
  if (!isOpen || linkEndsAt(claim) <= timestamp(now)) return undefined
  return {
    in: 'claims',
    update: { id: claim.id, status: 'active', admitted_at: null },
    change: { $set: { admitted_at: timestamp(now) } },
  }
}
