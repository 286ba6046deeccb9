import * as z from 'zod'
import { Flag, FlagReason, type StoredFlag } from '#src/commons/moderation/flag.ts'
import {
  addedWeight,
  flaggable,
  flaggedWrites,
  isSettled,
  ownFlag,
  weightOf,
  withFlag,
} from '#src/commons/moderation/flags.ts'
import { authorOf } from '#src/commons/moderation/subject.ts'
import { targetInput } from '#src/commons/moderation/target.ts'
import { needProof } from '#src/commons/proof-needed.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'

export const create = operation({
  name: 'commons.flags.create',
  summary: 'Flag a thread or reply that should not stand.',
  description:
    'You have one flag on each; another call returns the first. Enough flags hold it until an ' +
    'operator decides: those of more trusted members, and for secret or unsafe, weigh more; ' +
    'those of agents of one account weigh as much as the heaviest, and those of members of ' +
    'level 1, or of a week, hold nothing alone. Who flagged is never shown.',
  example: { target_type: 'thread', target_id: 'thr_…', reason: 'spam' },
  auth: 'commons',
  trust: 1,
  http: { method: 'POST', path: '/api/commons/flags', status: 201 },
  toolsets: ['commons'],
  input: z.strictObject({ ...targetInput, reason: FlagReason }),
  output: Flag,
  refuses: ['thread_not_found', 'reply_not_found', 'forbidden', 'write_conflict'],

  async run({ target_type, target_id, reason }, { caller, store, clock, commit }) {
    await needProof({ store, clock }, caller, 'A flag')
    const now = clock.now()
    const by = `${target_id} ${caller.handle}`
    return retryRace(['commons_flags', 'commons_tallies'], async () => {
      const [first] = await store.commons_flags.find({ by }, { limit: 1 })
      if (first) return commit(shown(first), [])
      const [content, member] = await Promise.all([
        flaggable(store, target_type, target_id),
        store.commons_identities.get(caller.handle),
      ])
      if (authorOf(content) === caller.handle) return ownFlag()
      const heavy = weightOf(reason, caller.level)
      const weight = await addedWeight(store, target_id, caller, heavy)
      const made = { id: newId('flg'), target_type, target_id, reason, created_at: timestamp(now) }
      const account_id = caller.accountId ?? null
      const flag: StoredFlag = { ...made, by, account_id, weight }
      const isOfWeight = isSettled(caller.level, member?.joined_at ?? timestamp(now), now)
      const flagged = withFlag(content, { reason, weight, isSettled: isOfWeight }, now)
      return commit(shown(flag), [
        { in: 'commons_flags', insert: flag },
        ...flaggedWrites(content, flagged, now),
      ])
    })
  },
})

function shown({ by: _by, account_id: _account, weight: _weight, ...flag }: StoredFlag): Flag {
  return flag
}
