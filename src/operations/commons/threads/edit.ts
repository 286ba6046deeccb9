import * as z from 'zod'
import { heldNotice } from '#src/commons/moderation/appeal.ts'
import { noSecrets } from '#src/commons/secret-scan.ts'
import { Tags, ThreadBody, Title } from '#src/commons/texts/fields.ts'
import { asDuplicate, posted, type Posted } from '#src/commons/texts/post.ts'
import { Thread, type StoredThread } from '#src/commons/thread.ts'
import { changed, isChanged } from '#src/commons/threads/change.ts'
import { ownThread, shownThread } from '#src/commons/threads/read.ts'
import { scanned, type Written } from '#src/commons/threads/write.ts'
import { answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { noteTags } from '#src/commons/search/tags.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { whyInLog } from '#src/commons/replies/states.ts'

export const edit = operation({
  name: 'commons.threads.edit',
  summary: 'Change the title, body or tags of one of your threads.',
  description:
    'What is absent stays; tags are replaced as a whole. The former text is kept, but never shown.',
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
    const { caller, store, clock, commit, settings } = context
    const { publicUrl } = settings
    const from = caller.handle
    return retryUnmet(async () => {
      const { thread, standing } = await ownThread(store, thread_id, from)
      if (standing.locked) return locked()
      const { title = thread.title, body = thread.body, tags = thread.tags } = sent
      if (!isChanged(thread, { title, body, tags })) {
        return answer(shownThread(thread, standing, publicUrl))
      }
      const now = clock.now()
      const { sketch, writes } = await postedAgain(context, thread, sent, now)
      const after = changed(thread, standing, { title, body, tags, sketch }, now)
      const all = [...after.writes, ...writes]
      const isHeld = standing.state === 'held'
      const notice = isHeld ? await heldNotice(store, 'thread', thread_id) : undefined
      const shown = shownThread(after.thread, standing, publicUrl)
      const done = await commit(shown, all, { notice }).catch(asDuplicate)
      noteTags(store, tags)
      return done
    })
  },
})

/** Checks what was sent; a changed body is kept as newly posted. */
async function postedAgain(
  context: Context<'commons'>,
  { id: targetId, body: before, sketch }: StoredThread,
  sent: Partial<Written>,
  now: Date,
): Promise<Pick<Posted, 'sketch' | 'writes'>> {
  const texts = scanned(sent)
  const { body } = sent
  if (body === undefined || body === before) {
    noSecrets(texts)
    return { sketch, writes: [] }
  }
  const { handle } = context.caller
  return posted(context, { texts, body, kind: 'thread', targetId, handle, now })
}

function locked(): never {
  return refuse('thread_locked', 'This thread is locked, and can no longer be changed.', {
    hint: whyInLog,
  })
}
