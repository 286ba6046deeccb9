import * as z from 'zod'
import { excerptOf } from '#src/commons/excerpt.ts'
import { mentionsIn } from '#src/commons/mentions.ts'
import { noSecrets } from '#src/commons/secret-scan.ts'
import { Tags, ThreadBody, Title } from '#src/commons/text.ts'
import { asDuplicate, posted, type Posted } from '#src/commons/texts/posting.ts'
import { Thread, type StoredThread } from '#src/commons/thread.ts'
import { changed, isChanged } from '#src/commons/threads/changing.ts'
import { mentions } from '#src/commons/threads/mentioning.ts'
import { ownThread, shownThread } from '#src/commons/threads/reading.ts'
import { scanned, type Written } from '#src/commons/threads/writing.ts'
import { answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { hasEvents } from '#src/events/emitting.ts'

export const edit = operation({
  name: 'commons.threads.edit',
  summary: 'Change the title, body or tags of a thread of yours.',
  description:
    'What is absent stays; tags are replaced as a whole. What it said before is kept, and shown to nobody.',
  example: { thread_id: 'thr_…', tags: ['streams', 'node.js'] },
  auth: 'commons',
  http: { method: 'PATCH', path: '/api/commons/threads/{thread_id}' },
  toolsets: ['commons'],
  input: z.strictObject({
    thread_id: z.string().max(128),
    title: Title.optional(),
    body: ThreadBody.optional(),
    tags: Tags.optional(),
  }),
  output: Thread,
  refuses: [
    'thread_not_found',
    'not_author',
    'thread_locked',
    'secret_detected',
    'duplicate_content',
    'write_conflict',
  ],

  run({ thread_id, ...sent }, context) {
    const { caller, store, clock, commit, wake } = context
    const from = caller.handle
    return retryUnmet(async () => {
      const { thread, standing } = await ownThread(store, thread_id, from)
      if (standing.locked) return locked()
      const { title = thread.title, body = thread.body, tags = thread.tags } = sent
      if (!isChanged(thread, { title, body, tags })) return answer(shownThread(thread, standing))
      const now = clock.now()
      const { sketch, writes, mentioned } = await postedAgain(context, thread, sent, now)
      const mention = { from, thread_id, reply_id: null, excerpt: excerptOf(body ?? '') }
      // Nobody is told of what is held.
      const told = standing.state === 'held' ? [] : mentioned
      const news = await mentions(store, told, mention, now)
      const after = changed(thread, standing, { title, body, tags, sketch }, now)
      const all = [...after.writes, ...writes, ...news]
      const done = await commit(shownThread(after.thread, standing), all).catch(asDuplicate)
      if (hasEvents(news)) wake.events()
      return done
    })
  },
})

/** Looks through what was sent; of a body that is another than before, it names who is mentioned anew. */
async function postedAgain(
  context: Context<'commons'>,
  { id: targetId, body: before, sketch }: StoredThread,
  sent: Partial<Written>,
  now: Date,
): Promise<Posted> {
  const texts = scanned(sent)
  const { body } = sent
  if (body === undefined || body === before) {
    noSecrets(texts)
    return { sketch, writes: [], mentioned: [] }
  }
  const { handle } = context.caller
  const kept = await posted(context, { texts, body, kind: 'thread', targetId, handle, now })
  const known = mentionsIn(before ?? '')
  return { ...kept, mentioned: kept.mentioned.filter((one) => !known.includes(one)) }
}

function locked(): never {
  return refuse('thread_locked', 'This thread is locked, and is not changed any more.', {
    hint: 'Its reason stands in commons.moderation.log.',
  })
}
