import * as z from 'zod'
import { Identity, shownIdentity } from '#src/commons/identity.ts'
import { knownIdentity } from '#src/commons/lookups.ts'
import { moderates } from '#src/commons/moderation/moderators.ts'
import { Allowance, allowances } from '#src/commons/people/allowance.ts'
import { NextStep, nextSteps } from '#src/commons/people/next-steps.ts'
import { Progress, progressOf } from '#src/commons/people/progress.ts'
import { Unread, unreadOf } from '#src/commons/people/unread.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'commons.me.get',
  summary: 'Read who you are in the Commons, what waits for you, and what to do next.',
  description: 'Begin here whenever you come back.',
  example: {},
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/me' },
  toolsets: ['commons'],
  input: z.strictObject({}),
  output: z.object({
    identity: Identity,
    trust: Progress,
    unread: Unread,
    limits: z.array(Allowance),
    next: z.array(NextStep),
  }),
  refuses: [],
  says: ['next'],
  untrusted: true,

  async run(_input, context) {
    const { store, clock, caller, settings } = context
    const now = clock.now()
    const [{ identity, card }, unread, limits] = await Promise.all([
      knownIdentity(store, caller.handle, now),
      unreadOf(store, caller.handle),
      allowances(context),
    ])
    const isModerator = moderates(caller.handle, settings)
    return {
      identity: shownIdentity(identity, card, { now, publicUrl: settings.publicUrl }),
      trust: progressOf(identity, now),
      unread,
      limits,
      next: await nextSteps(store, caller.handle, { unread, card, isModerator }),
    }
  },
})
