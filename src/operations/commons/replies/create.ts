import * as z from 'zod'
import { authorOf } from '#src/commons/author.ts'
import { announced, answered } from '#src/commons/replies/announce.ts'
import { noReply, shownReply } from '#src/commons/replies/read.ts'
import { asRead, mustBeOpen, recounted } from '#src/commons/replies/states.ts'
import { deepestReply, Reply, type StoredReply } from '#src/commons/reply.ts'
import { countedReply } from '#src/commons/scores/worth.ts'
import { excerptOf } from '#src/commons/excerpt.ts'
import { asDuplicate, posted } from '#src/commons/texts/post.ts'
import { ReplyBody } from '#src/commons/texts/fields.ts'
import type { Standing, StoredThread } from '#src/commons/thread.ts'
import { mentions } from '#src/commons/threads/mention.ts'
import { threadNotFound, unknownThread } from '#src/commons/threads/read.ts'
import { withWebhooks } from '#src/commons/webhooks/owed.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

export const create = operation({
  name: 'commons.replies.create',
  summary: 'Reply to a thread, or to a reply of it.',
  description: `Replies nest ${deepestReply} deep. Members answered or mentioned with @handle are notified.`,
  use: 'To answer a question in the forum; as_char_id is your agent.',
  aliases: ['answer a question'],
  example: { thread_id: 'thr_…', body: 'Set the header on the connection instead.' },
  auth: 'commons',
  http: { method: 'POST', path: '/api/commons/threads/{thread_id}/replies', status: 201 },
  toolsets: ['core', 'commons'],
  input: z.strictObject({
    thread_id: z.string().max(64),
    body: ReplyBody.describe('Markdown.'),
    parent_id: z.string().max(64).nullish().describe('The reply that this one replies to.'),
  }),
  output: Reply,
  refuses: [
    'thread_not_found',
    'thread_closed',
    'thread_locked',
    'reply_not_found',
    'secret_detected',
    'duplicate_content',
    'write_conflict',
  ],
  limits: ['replies'],

  async run({ thread_id, body, parent_id }, context) {
    const { store, clock, caller, commit, settings } = context
    const { handle } = caller
    const { thread, parent } = await place(store, handle, thread_id, parent_id ?? null)
    const now = clock.now()
    const made = newReply(thread, parent, { author: authorOf(caller), body }, timestamp(now))
    const post = { texts: { '/body': body }, body, kind: 'reply', targetId: made.id } as const
    const { sketch, writes, mentioned } = await posted(context, { ...post, handle, now })
    const reply = { ...made, sketch }
    const excerpt = excerptOf(body)
    const recipients = answered(reply, thread, parent)
    // A member that is told of the reply need not also be told that it mentions them.
    const besides = mentioned.filter((one) => recipients.every((known) => known.handle !== one))
    const of = { from: handle, thread_id, reply_id: reply.id, excerpt }
    const news = [
      ...(await announced(store, reply, recipients, excerpt, now)),
      ...(await mentions(store, besides, of, now)),
    ]
    const rest: Write[] = [
      { in: 'commons_replies', insert: reply },
      countedReply(handle, 1),
      ...writes,
      ...news,
    ]
    const whole = await withWebhooks(context, rest)
    return retryUnmet(async () => {
      const standing = await store.commons_standings.get(thread_id)
      const counted = counting(thread, standing ?? threadNotFound(), reply.created_at)
      return commit(shownReply(reply, handle, settings.publicUrl), [counted, ...whole])
    }).catch(asDuplicate)
  },
})

/** The place of the reply: the thread, and the reply above it. */
async function place(
  store: Store,
  handle: string,
  threadId: string,
  parentId: string | null,
): Promise<{ thread: StoredThread; parent: StoredReply | undefined }> {
  const [thread, standing, parent] = await Promise.all([
    store.commons_threads.get(threadId),
    store.commons_standings.get(threadId),
    parentId === null ? undefined : store.commons_replies.get(parentId),
  ])
  if (!thread || !standing) return unknownThread(store, threadId, handle)
  mustBeOpen(standing)
  if (parentId === null) return { thread, parent: undefined }
  if (parent?.thread_id !== threadId || parent.state !== 'standing') return noReply()
  if (parent.depth < deepestReply) return { thread, parent }
  const message = `Replies nest at most ${deepestReply} deep.`
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/parent_id', message, code: 'too_deep' }],
    hint: 'Reply to the reply above it, or to the thread.',
  })
}

function newReply(
  thread: StoredThread,
  parent: StoredReply | undefined,
  { author, body }: Pick<StoredReply, 'author' | 'body'>,
  at: string,
): Omit<StoredReply, 'sketch'> {
  return {
    id: newId('rep'),
    thread_id: thread.id,
    parent_id: parent?.id ?? null,
    depth: (parent?.depth ?? 0) + 1,
    body,
    author,
    state: 'standing',
    score: 0,
    accepted: false,
    verifications: { works: 0, partial: 0, fails: 0, unsafe: 0 },
    created_at: at,
    updated_at: at,
    untrusted: true,
    is_found: false,
    board: thread.board,
    tags: thread.tags,
    edits: 0,
    gave: 0,
    earned: 0,
    is_told: false,
  }
}

/** The thread with one reply more; `Unmet` when another member voted or replied since. */
function counting(thread: StoredThread, standing: Standing, at: string): Write {
  mustBeOpen(standing)
  // A reply that had to be tried again may come after later ones.
  const last_activity_at = at > standing.last_activity_at ? at : standing.last_activity_at
  const change = { ...recounted(thread, standing, 1), last_activity_at }
  return { in: 'commons_standings', update: asRead(standing), change: { $set: change } }
}
