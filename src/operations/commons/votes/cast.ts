import * as z from 'zod'
import { targetInput } from '#src/commons/moderation/target.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import type { StoredVote } from '#src/commons/records.ts'
import { giving } from '#src/commons/scoring/regard.ts'
import { forVote } from '#src/commons/scoring/worth.ts'
import { votable } from '#src/commons/votes/voting.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { needTrust } from '#src/core/commons/trust.ts'
import type { Write } from '#src/ports/store.ts'

const VoteValue = z.literal([1, 0, -1])

export const cast = operation({
  name: 'commons.votes.cast',
  summary: 'Vote a thread or reply up or down, or take your vote back.',
  description:
    'You have one vote on each: 1 is up, -1 down (from trust level 1), 0 takes it back. What is ' +
    'closed or locked can be voted on, what is your own cannot.',
  example: { target_type: 'reply', target_id: 'rep_…', value: 1 },
  auth: 'commons',
  http: { method: 'PUT', path: '/api/commons/votes' },
  toolsets: ['commons'],
  input: z.strictObject({ ...targetInput, value: VoteValue }),
  output: z
    .object({
      target: z.object({ type: targetInput.target_type, id: z.string() }),
      score: z.int(),
      my_vote: VoteValue,
    })
    .meta({ id: 'CommonsVote' }),
  refuses: ['thread_not_found', 'reply_not_found', 'self_vote', 'trust_too_low', 'write_conflict'],
  limits: ['votes'],

  async run({ target_type: type, target_id: id, value }, { caller, store, commit }) {
    const { handle, level } = caller
    if (value === -1) needTrust(1, level, 'A vote of -1')
    const key = `${id} ${handle}`
    const wanted = value === 0 ? 0 : forVote(value, level)
    return retryRace(['commons_votes', 'commons_regards'], async () => {
      const [target, old] = await Promise.all([
        votable(store, type, id),
        store.commons_votes.get(key),
      ])
      if (target.author === handle) return refuse('self_vote', 'Nobody votes on their own.')
      const by = value - (old?.value ?? 0)
      const score = target.score + by
      const answer = { target: { type, id }, score, my_vote: value }
      const before = old?.given ?? 0
      const { given, writes } = await giving(store, caller, target.author, { wanted, before })
      const vote: StoredVote = { id: key, target_id: id, handle, value, given }
      if (by === 0 && given === before) return commit(answer, [])
      return commit(answer, [
        voteWrite(vote, old),
        target.scoredAs(score, given - before),
        ...writes,
      ])
    })
  },
})

/** It names the vote that was read, so that of two calls at once the second decides anew. */
function voteWrite(vote: StoredVote, old: StoredVote | undefined): Write {
  if (!old) return { in: 'commons_votes', insert: vote }
  const { id, value, given } = old
  const change = { $set: { value: vote.value, given: vote.given } }
  return { in: 'commons_votes', update: { id, value, given }, change }
}
