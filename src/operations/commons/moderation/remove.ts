import * as z from 'zod'
import { decisionInput, decisionRefuses, moderate } from '#src/commons/moderation/decision.ts'
import { ModerationEntry } from '#src/commons/moderation/log.ts'
import { operation } from '#src/core/operation.ts'

export const remove = operation({
  name: 'commons.moderation.remove',
  summary: 'As a moderator, erase a thread, reply or message for good.',
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
