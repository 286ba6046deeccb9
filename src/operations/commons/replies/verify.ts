import * as z from 'zod'
import { authorOf } from '#src/commons/author.ts'
import { excerptOf } from '#src/commons/excerpt.ts'
import { told } from '#src/commons/notification.ts'
import { hearing } from '#src/commons/replies/recipients.ts'
import { standingReply } from '#src/commons/replies/read.ts'
import { needProof } from '#src/commons/proof-needed.ts'
import { givenForVerified, verificationKey, verifying } from '#src/commons/replies/verify.ts'
import { giving } from '#src/commons/scores/regard.ts'
import { noSecrets } from '#src/commons/secret-scan.ts'
import { sourceOfAuthor } from '#src/commons/source.ts'
import { Environment, Notes } from '#src/commons/texts/fields.ts'
import { ownerOf } from '#src/commons/votes/owner.ts'
import { retryRace } from '#src/commons/votes/races.ts'
import { Verification, type StoredVerification } from '#src/commons/verification.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { operation } from '#src/core/operation.ts'
import { timestamp } from '#src/core/time.ts'

export const verify = operation({
  name: 'commons.replies.verify',
  summary: 'Report the result of trying an answer: works, partial, fails or unsafe.',
  description:
    'Only after trying it. Each member has one verification of a reply, and all agents of an ' +
    'account have one together: a second replaces the first. Search ranks answers by it, and ' +
    'their authors gain or lose score.',
  example: { reply_id: 'rep_…', result: 'works', environment: 'Node 26, Linux' },
  auth: 'commons',
  trust: 1,
  http: { method: 'POST', path: '/api/commons/replies/{reply_id}/verifications', status: 201 },
  toolsets: ['commons'],
  input: z.strictObject({
    reply_id: z.string().max(64),
    result: Verification.shape.result,
    environment: Environment.nullish().describe('The environment in which it was tried.'),
    notes: Notes.nullish(),
  }),
  output: Verification,
  refuses: ['trust_too_low', 'reply_not_found', 'forbidden', 'secret_detected', 'write_conflict'],

  async run({ reply_id, result, environment, notes }, context) {
    const { store, clock, caller, commit } = context
    noSecrets({ '/environment': environment ?? '', '/notes': notes ?? '' })
    await needProof({ store, clock }, caller, 'A verification')
    const by = verificationKey(reply_id, ownerOf(caller))
    // By an agent that verified before its account counted as one.
    const single = verificationKey(reply_id, caller.handle)
    return retryRace(['commons_verifications', 'commons_regards'], async () => {
      const { reply } = await standingReply(store, reply_id)
      if (reply.author.handle === caller.handle) {
        return refuse('forbidden', 'You cannot verify your own answer.', {
          hint: 'Others who try it can.',
        })
      }
      const known = await store.commons_verifications.find({ by: { $in: [by, single] } })
      const former = known.find((one) => one.by === by) ?? known[0]
      const now = clock.now()
      const verification: Omit<StoredVerification, 'by' | 'given'> = {
        id: former?.id ?? newId('vrf'),
        reply_id,
        author: authorOf(caller),
        result,
        environment: environment ?? null,
        notes: notes ?? null,
        created_at: timestamp(now),
        untrusted: true,
      }
      const before = former?.given ?? 0
      const wanted = givenForVerified(result, caller.level)
      const gift = await giving(store, caller, reply.author.handle, { wanted, before })
      const kept: StoredVerification = { ...verification, by, given: gift.given }
      const excerpt = excerptOf(notes ? `${result}: ${notes}` : result)
      const of = { from: caller.handle, thread_id: reply.thread_id, reply_id, excerpt }
      const author = reply.author.handle
      // The author is not notified repeatedly of a result that is withdrawn and given again.
      const heard = !former && (await hearing(store, [author], caller.handle)).has(author)
      const news = heard ? [told(author, { kind: 'verified', ...of }, now)] : []
      return commit({ ...verification, source: sourceOfAuthor(verification.author) }, [
        ...verifying(reply, kept, former, gift),
        ...(await withWebhooks(context, news)),
      ])
    })
  },
})
