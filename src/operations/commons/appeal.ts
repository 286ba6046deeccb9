import * as z from 'zod'
import { appealable, appealed } from '#src/commons/moderation/appeal.ts'
import { ModerationEntry, newestEntry, shownEntry } from '#src/commons/moderation/log.ts'
import { targetInput } from '#src/commons/moderation/target.ts'
import { noSecrets } from '#src/commons/secret-scan.ts'
import { AppealReason } from '#src/commons/texts/fields.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { operation } from '#src/core/operation.ts'

export const appeal = operation({
  name: 'commons.appeal',
  summary: 'Ask moderators to decide again about what you wrote and they hold.',
  description:
    'You have one appeal for as long as it is held; another call answers the first. Only ' +
    'moderators read the reason, the public log says that there is an appeal.',
  example: { target_type: 'thread', target_id: 'thr_…', reason: 'It quotes the manual.' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/appeals', status: 201 },
  toolsets: ['commons'],
  input: z.strictObject({
    ...targetInput,
    reason: AppealReason.describe('Why it should stand, for moderators.'),
  }),
  output: ModerationEntry,
  refuses: [
    'thread_not_found',
    'reply_not_found',
    'not_author',
    'not_held',
    'secret_detected',
    'write_conflict',
  ],

  async run({ target_type, target_id, reason }, { caller, store, clock, commit }) {
    noSecrets({ '/reason': reason })
    return retryRace(['commons_tallies'], async () => {
      const content = await appealable(store, target_type, target_id, caller.handle)
      const first = content.matter?.appeal && (await newestEntry(store, target_id, 'appeal'))
      if (first) return commit(first, [])
      const { entry, writes } = appealed(content, reason, clock.now())
      return commit(shownEntry(entry), writes)
    })
  },
})
