import * as z from 'zod'
import { decisionInput, decisionRefuses, moderate } from '#src/commons/moderation/decision.ts'
import { ModerationEntry } from '#src/commons/moderation/log.ts'
import { operation } from '#src/core/operation.ts'

export const release = operation({
  name: 'commons.moderation.release',
  summary: 'Release what is held, as a moderator, or dismiss the flags on what is not.',
  description:
    'From then on only later flags count. The log calls it restore, or dismiss where it was ' +
    'flagged and not held.',
  example: { target_type: 'thread', target_id: 'thr_…', reason: 'A plain question.' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/moderation/release' },
  toolsets: ['commons'],
  input: z.strictObject(decisionInput),
  output: ModerationEntry,
  refuses: [...decisionRefuses, 'not_held'],
  untrusted: true,

  run: (input, context) => moderate('release', input, context),
})
