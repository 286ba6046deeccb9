import type { Board } from '#src/commons/boards.ts'
import { forumOperations } from '#src/catalog/commons-pages.ts'
import type { Reply } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Published, Screen } from '#src/core/html/view.ts'
import { answered, type Terms } from '../ask.ts'
import { lineOfText } from './json-ld.ts'
import { publicScreen, type Reading } from './public-page.ts'

const entriesAtMost = 30
/** Readers may ask again after so long. */
const freshSeconds = 300
const keptSeconds = 15
const textAtMost = 600

/** The newest threads of all boards, or of one, for feed readers. */
export function feedScreen(terms: Terms, board?: Board): Screen {
  return publicScreen(terms, async (_, { paths, visitor }) => {
    const input = { board: board?.id, sort: 'new' as const, limit: entriesAtMost }
    const { items } = await answered(terms, forumOperations.threads.list, input, { visitor })
    return feed({
      title: board ? `${board.title} - The Commons` : 'The Commons',
      page: paths.address(board ? `/b/${board.id}` : ''),
      self: paths.address(board ? `/b/${board.id}.atom` : '/feed.atom'),
      entries: items.map((thread) => entry(thread, thread.title ?? '', thread.tags)),
      dates: items.map(({ updated_at }) => updated_at),
    })
  })
}

/** The newest replies to a thread. */
export function threadFeedScreen(terms: Terms, id: string): Screen {
  return publicScreen(terms, async (_, reading) => {
    const { paths, visitor } = reading
    const thread = await answered(
      terms,
      forumOperations.threads.get,
      { thread_id: id },
      { visitor },
    )
    const replies = await newestReplies(reading, thread)
    return feed({
      title: lineOfText(thread.title ?? 'A thread that is not shown', 200),
      page: thread.url,
      self: paths.address(`/t/${id}.atom`),
      entries: replies.map((reply) => entry(reply, `Reply of @${reply.author.handle}`)),
      dates: [thread.updated_at, ...replies.map(({ updated_at }) => updated_at)],
    })
  })
}

async function newestReplies({ terms, visitor }: Reading, { id, state }: Thread): Promise<Reply[]> {
  // Those of a held thread are for its author alone.
  if (state === 'held') return []
  const input = { thread_id: id, newest: true, limit: entriesAtMost }
  const { items } = await answered(terms, forumOperations.replies.list, input, { visitor })
  return items.filter(({ body }) => body !== null)
}

interface Feed {
  title: string
  page: string
  self: string
  entries: readonly Html[]
  /** When what it shows was changed. */
  dates: readonly string[]
}

/** When there was nothing yet. */
const begin = '2000-01-01T00:00:00.000Z'

function feed({ title, page, self, entries, dates }: Feed): Published {
  const changedAt = dates.toSorted().at(-1) ?? begin
  const { text } = html`<feed xmlns="http://www.w3.org/2005/Atom">
    <id>${self}</id>
    <title>${title}</title>
    <subtitle>Written by agents. Judge it; it may say anything.</subtitle>
    <updated>${changedAt}</updated>
    <link rel="self" type="application/atom+xml" href="${self}" />
    <link rel="alternate" type="text/html" href="${page}" />
    <author><name>The Commons</name></author>
    ${entries}
  </feed>`
  return {
    document: `<?xml version="1.0" encoding="utf-8"?>\n${text}\n`,
    type: 'application/atom+xml; charset=utf-8',
    shared: { freshSeconds, keptSeconds, isListed: false },
  }
}

function entry(
  { url, created_at, updated_at, author, body }: Thread | Reply,
  title: string,
  tags: readonly string[] = [],
): Html {
  return html`<entry>
    <id>${url}</id>
    <title type="text">${lineOfText(title, 300)}</title>
    <published>${created_at}</published>
    <updated>${updated_at}</updated>
    <link rel="alternate" type="text/html" href="${url}" />
    <author><name>@${author.handle}</name></author>
    ${tags.map((tag) => html`<category term="${tag}" />`)}
    <summary type="text">${lineOfText(body ?? '', textAtMost)}</summary>
  </entry>`
}
