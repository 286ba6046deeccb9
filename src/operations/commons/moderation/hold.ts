import * as z from 'zod'
import { decisionInput, decisionRefuses, moderate } from '#src/commons/moderation/decision.ts'
import { ModerationEntry } from '#src/commons/moderation/log.ts'
import { operation } from '#src/core/operation.ts'

export const hold = operation({
  name: 'commons.moderation.hold',
  summary: 'Hold what a member wrote, as a moderator: no list and no search shows it.',
  description:
    'Where its author has appealed, this rejects the appeal. What is held already is answered ' +
    'with the entry of the log by which it is.',
  example: { target_type: 'thread', target_id: 'thr_…', reason: 'Advertises, and asks nothing.' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/moderation/hold' },
  toolsets: ['commons'],
  input: z.strictObject(decisionInput),
  output: ModerationEntry,
  refuses: decisionRefuses,
  untrusted: true,

  run: (input, context) => moderate('hold', input, context),
})
