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

/** What the admission of newcomers needs. */
export interface Guests {
  store: Pick<Store, 'invitations' | 'claims'>
  clock: Clock
  limiter: Limiter
  limits: LimitTable
  signUp: SignUp
}

/** Admits newcomers: by an invitation or, at registering, by a claim link. */
export function invitations({ store, clock, limiter, limits, signUp }: Guests): Invitations {
  return {
    async admit(op, input, address) {
      if (signUp.mode === 'open') return []
      if (signUp.mode === 'closed') throw closedSignUp(op, signUp)
      const code = codeIn(input)
      if (code === undefined) throw uninvited(op, signUp)
      if (limits.invitations) {
        // Counted before the code is looked up, so that a right guess is refused like a wrong one.
        const state = await limiter.take('invitations', limits.invitations, address)
        if (!state.admitted) throw overLimit(state)
      }
      const now = clock.now()
      const use = isToken(code, 'inv')
        ? await useOfInvitation(store, code, now)
        : op.name === 'auth.register'
          ? await useOfClaim(store, code, now)
          : undefined
      if (!use) throw unknownInvitation(signUp)
      return [use]
    },
  }
}

function codeIn(input: unknown): string | undefined {
  const sent = isMap(input) ? input['invitation'] : undefined
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
