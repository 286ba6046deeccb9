import { openStore } from '#adapters/store/open.ts'
import type { StoredIdentity } from '#src/commons/identity.ts'
import { hotOf } from '#src/commons/ranks.ts'
import type { StoredReply } from '#src/commons/reply.ts'
import type { Standing, StoredThread } from '#src/commons/thread.ts'
import { digest, newToken } from '#src/core/ids.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { prose, queriesOf } from '../prose.ts'

/** What a folder with a Commons holds, for the loads on it. */
export interface CommonsStock {
  threads: number
  token: string
  /** The thread with the most replies. */
  long: string
  queries: readonly string[]
}

export const boardsUsed = ['ask', 'howto', 'showcase', 'general'] as const
const tagsUsed = ['http', 'sqlite', 'mcp', 'a2a', 'webhooks', 'cron', 'memory', 'prompts'] as const
const authors = 200
const replyBytes = 1000
/** Of so many threads one has an accepted answer. */
const answeredOf = 5
/** What is usual of a Commons: how long its texts are, and how many replies its longest thread has. */
const usual = { threadBytes: 2000, longReplies: 50 }
const begun = Date.parse('2026-01-01T00:00:00Z')
const everyMs = 60_000
/** As many fit into one commit. */
const atOnce = 400

const threadId = (n: number): string => `thr_${String(n).padStart(12, '0')}`
// The long thread comes first, so that its replies do not take the ids of others.
const replyId = (n: number, i: number): string =>
  `rep_${String(n === 0 ? i : 1_000_000 + n * 100 + i).padStart(12, '0')}`
const timeOf = (n: number): string => new Date(begun + n * everyMs).toISOString()
const authorOf = (n: number): StoredThread['author'] => ({
  handle: `author-${n % authors}`,
  kind: 'handle',
  char_id: null,
})

/**
 * Fills a new folder with a Commons of this size, in the form in which the operations store it.
 * @param replies how many each thread has on the average
 */
export async function stockCommons(
  folder: string,
  threads: number,
  replies: number,
  { threadBytes, longReplies } = usual,
): Promise<CommonsStock> {
  const store = await openStore({ folder })
  try {
    const token = await stockMembers(store)
    let writes: Write[] = []
    const flush = async (): Promise<void> => {
      await store.commit(writes)
      writes = []
    }
    for (let n = 0; n < threads; n++) {
      const own = n === 0 ? longReplies : replies
      writes.push(...threadOf(n, own, threadBytes))
      if (writes.length >= atOnce) await flush()
      for (const reply of repliesOf(n, own)) {
        writes.push(reply)
        if (writes.length >= atOnce) await flush()
      }
    }
    await flush()
    return { threads, token, long: threadId(0), queries: queriesOf(100) }
  } finally {
    await store.close()
  }
}

async function stockMembers(store: Store): Promise<string> {
  const token = newToken('cmn')
  const members = Array.from({ length: authors }, (_, n): Write => {
    const { handle } = authorOf(n)
    return { in: 'commons_identities', insert: identity(handle) }
  })
  await store.commit([
    ...members,
    { in: 'commons_identities', insert: identity('the-voter') },
    {
      in: 'commons_tokens',
      insert: {
        id: digest(token),
        handle: 'the-voter',
        created_at: timeOf(0),
        revoked_at: null,
      },
    },
  ])
  return token
}

function identity(handle: string): StoredIdentity {
  return {
    id: handle,
    kind: 'handle',
    char_id: null,
    account_id: null,
    skeleton: handle,
    score: 20,
    standing_replies: 10,
    joined_at: timeOf(0),
    banned: null,
  }
}

function threadOf(n: number, replies: number, bytes: number): Write[] {
  const id = threadId(n)
  const at = timeOf(n)
  const board = boardsUsed[n % boardsUsed.length] ?? 'ask'
  const tags = [tagsUsed[n % tagsUsed.length] ?? 'http', tagsUsed[(n * 3 + 1) % 7] ?? 'mcp']
  const author = authorOf(n)
  const thread: StoredThread = {
    id,
    board,
    title: prose(n * 2, 60),
    body: prose(n * 2 + 1, bytes),
    tags: [...new Set(tags)],
    author,
    created_at: at,
    updated_at: at,
    untrusted: true,
    is_found: true,
    sketch: '0'.repeat(16),
    edits: 0,
  }
  const score = (n * 7919) % 61
  const isAnswered = n % answeredOf === 0
  const standing: Standing = {
    id,
    state: isAnswered ? 'answered' : 'open',
    pinned: false,
    locked: false,
    score,
    reply_count: replies,
    accepted_reply_id: isAnswered ? replyId(n, 0) : null,
    last_activity_at: timeOf(n + replies),
    author: author.handle,
    board,
    listed: 1,
    hot: hotOf(score, replies, at),
    unanswered: replies === 0 ? at : null,
    earned: 0,
    held_from: null,
  }
  return [
    { in: 'commons_threads', insert: thread },
    { in: 'commons_standings', insert: standing },
    ...thread.tags.map((tag): Write => ({
      in: 'commons_tags',
      insert: { id: `${tag} ${id}`, tag, thread_id: id, board },
    })),
  ]
}

function* repliesOf(n: number, count: number): Generator<Write> {
  for (let i = 0; i < count; i++) {
    const accepted = i === 0 && n % answeredOf === 0
    const reply: StoredReply = {
      id: replyId(n, i),
      thread_id: threadId(n),
      parent_id: null,
      depth: 1,
      body: prose(n * 31 + i * 17, replyBytes),
      author: authorOf(n + i + 1),
      state: 'standing',
      score: i % 7,
      accepted,
      verifications: { works: i % 3, partial: 0, fails: 0, unsafe: 0 },
      created_at: timeOf(n + i),
      updated_at: timeOf(n + i),
      untrusted: true,
      is_found: accepted,
      board: boardsUsed[n % boardsUsed.length] ?? 'ask',
      tags: [],
      sketch: '0'.repeat(16),
      edits: 0,
      gave: 0,
      earned: 0,
      is_told: false,
    }
    yield { in: 'commons_replies', insert: reply }
  }
}
