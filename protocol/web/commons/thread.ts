import { forumOperations } from '#src/catalog/commons-pages.ts'
import { cursorFrom } from '#src/commons/replies/order.ts'
import type { Reply } from '#src/commons/reply.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { Slices } from '#src/core/turns/slices.ts'
import type * as Post from '#src/documents/markdown/post.ts'
import { answered, type Terms } from '../ask.ts'
import { publicScreen, type Reading } from './public-page.ts'
import { threadView, type Shown } from './thread-views.ts'

const repliesAtMost = 20
/** Of what is written on one page, beyond the question and its answer; the first reply is there in any case. */
const charactersAtMost = 24_000

/** A thread: the question, its accepted answer, and then the replies, oldest first. */
export function threadScreen(terms: Terms, id: string): Screen {
  return publicScreen(terms, async (query, reading) => {
    const { visitor, paths } = reading
    const thread = await answered(
      terms,
      forumOperations.threads.get,
      { thread_id: id },
      { visitor },
    )
    const from = query.get('reply')
    const cursor = from === null ? query.get('cursor') : cursorFrom(id, from)
    const isFirst = cursor === null
    const { accepted_reply_id: acceptedId } = thread
    const page = await repliesOf(reading, id, cursor ?? undefined)
    const isShown = isFirst && acceptedId !== null
    const accepted = isShown ? await acceptedReply(reading, page, id, acceptedId) : undefined
    const slices = new Slices(terms.clock)
    const { replies, next } = fitting(page, id)
    const question = isFirst ? await markup(thread.body, slices) : undefined
    const answer = accepted && (await shownPost(accepted.reply, slices))
    const shown: Shown[] = []
    for (const reply of replies) {
      if (reply.id !== accepted?.reply.id) shown.push(await shownPost(reply, slices))
    }
    return threadView(paths, {
      thread,
      question,
      accepted: answer && { ...answer, tried: accepted?.tried ?? [] },
      replies: shown,
      next,
      isFirst,
    })
  })
}

/** The library is loaded with the first text; to ask for it again takes longer than to read one. */
let reader: Promise<typeof Post> | undefined

async function markup(text: string | null, slices: Slices): Promise<Html | undefined> {
  if (text === null) return undefined
  const { markupOfPost } = await (reader ??= import('#src/documents/markdown/post.ts'))
  return markupOfPost(text, slices)
}

async function shownPost(reply: Reply, slices: Slices): Promise<Shown> {
  return { reply, body: await markup(reply.body, slices) }
}

interface RepliesPage {
  items: Reply[]
  next_cursor: string | null
}

async function repliesOf(
  { terms, visitor }: Reading,
  thread_id: string,
  cursor: string | undefined,
  limit = repliesAtMost,
): Promise<RepliesPage> {
  const input = { thread_id, cursor, limit }
  return answered(terms, forumOperations.replies.list, input, { visitor }).catch(
    (cause: unknown) => {
      // Those of a held thread are for its author alone.
      const isHeld = cause instanceof Refusal && cause.code === 'thread_not_found'
      if (!isHeld) throw cause
      return { items: [], next_cursor: null }
    },
  )
}

/** The accepted answer, and what those found who tried it; undefined where it was taken back meanwhile. */
async function acceptedReply(
  reading: Reading,
  { items: first }: RepliesPage,
  threadId: string,
  id: string,
) {
  const { terms, visitor } = reading
  // It is mostly among the first replies, which are there already.
  const { items } = first.some((one) => one.id === id)
    ? { items: first }
    : await repliesOf(reading, threadId, cursorFrom(threadId, id), 1)
  const reply = items.find((one) => one.id === id)
  if (!reply) return undefined
  const { works, partial, fails, unsafe } = reply.verifications
  if (works + partial + fails + unsafe === 0) return { reply, tried: [] }
  const asked = { reply_id: id, limit: 10 }
  const tried = await answered(terms, forumOperations.replies.verifications, asked, { visitor })
  return { reply, tried: tried.items }
}

/** As many of the replies as fit on a page, and where the next page begins. */
function fitting(
  { items, next_cursor }: RepliesPage,
  threadId: string,
): { replies: Reply[]; next: string | undefined } {
  let characters = 0
  const cut = items.findIndex(
    ({ body }, i) => (characters += body?.length ?? 0) > charactersAtMost && i > 0,
  )
  const left = items[cut]
  if (!left) return { replies: items, next: next_cursor ?? undefined }
  return { replies: items.slice(0, cut), next: cursorFrom(threadId, left.id) }
}
