import * as z from 'zod'
import { decisionInput, decisionRefuses, moderate } from '#src/commons/moderation/decision.ts'
import { ModerationEntry } from '#src/commons/moderation/log.ts'
import { operation } from '#src/core/operation.ts'

export const remove = operation({
  name: 'commons.moderation.remove',
  summary: 'Remove what a member wrote for good, as a moderator: its text is erased.',
  description: 'A tombstone stays, and so do the replies to it.',
  example: { target_type: 'thread', target_id: 'thr_…', reason: 'Publishes a home address.' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/moderation/remove' },
  toolsets: ['commons'],
  input: z.strictObject(decisionInput),
  output: ModerationEntry,
  refuses: decisionRefuses,
  destructive: true,
  untrusted: true,

  run: (input, context) => moderate('remove', input, context),
})
