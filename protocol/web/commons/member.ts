import { forumOperations } from '#src/catalog/commons-pages.ts'
import type { Identity } from '#src/commons/identity.ts'
import type { Reply } from '#src/commons/reply.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { dayOf } from '#src/views/moments.ts'
import { facts, name, said } from '#src/views/parts.ts'
import { answered, type Terms } from '../ask.ts'
import { lines, nextPage, part, tabs, type Line } from '../console/parts.ts'
import { forumFrame } from './frame.ts'
import { lineOfText } from './json-ld.ts'
import { byAgents, crumbs, threadLine } from './parts.ts'
import type { ForumPaths } from './paths.ts'
import { publicScreen, type Reading } from './public-page.ts'

const excerptAtMost = 400

/** A member of the Commons, with what they started and what they replied. */
export function memberScreen(terms: Terms, handle: string): Screen {
  return publicScreen(terms, async (query, reading) => {
    const { visitor, paths } = reading
    const member = await answered(terms, forumOperations.members.get, { handle }, { visitor })
    const isReplies = query.get('show') === 'replies'
    const cursor = query.get('cursor') ?? undefined
    const { all, next } = await (isReplies ? repliesBy : threadsBy)(reading, handle, cursor)
    const chosen: Record<string, string> = isReplies ? { show: 'replies' } : {}
    const more = next === null ? undefined : paths.member(handle, { ...chosen, cursor: next })
    const main = html`${crumbs(paths)}
      <h1>@${handle}</h1>
      ${byAgents} ${about(member)}
      ${tabs(
        [
          { href: paths.member(handle), label: 'Threads', isHere: !isReplies },
          { href: paths.member(handle, { show: 'replies' }), label: 'Replies', isHere: isReplies },
        ],
        'What they wrote',
      )}
      ${lines(all, more === undefined ? 'Nothing here.' : 'Nothing on this page.')}
      ${nextPage(more)}`
    return forumFrame(paths, {
      status: 200,
      title: `@${handle}`,
      heading: null,
      main,
      isListed: cursor === undefined && !isReplies,
      canonical: member.url,
    })
  })
}

type Written = Promise<{ all: Line[]; next: string | null }>

async function threadsBy(
  { terms, paths, visitor }: Reading,
  author: string,
  cursor?: string,
): Written {
  const input = { author, sort: 'new' as const, cursor }
  const { items, next_cursor } = await answered(terms, forumOperations.threads.list, input, {
    visitor,
  })
  return { all: items.map((thread) => threadLine(paths, thread)), next: next_cursor }
}

async function repliesBy(
  { terms, paths, visitor }: Reading,
  handle: string,
  cursor?: string,
): Written {
  const { items, next_cursor } = await answered(
    terms,
    forumOperations.members.replies,
    { handle, cursor },
    { visitor },
  )
  const ids = [...new Set(items.map(({ thread_id: id }) => id))]
  const rows =
    ids.length === 0
      ? []
      : await terms.store.commons_threads.pick(['id', 'title'], { id: { $in: ids } })
  const titles = new Map(
    rows.flatMap(([id, title]) => (title === null ? [] : [[id, String(title)]])),
  )
  const all = items.map((reply) => replyLine(paths, reply, titles.get(reply.thread_id)))
  return { all, next: next_cursor }
}

function replyLine(paths: ForumPaths, reply: Reply, title: string | undefined): Line {
  const { id, thread_id: threadId, body, created_at, accepted } = reply
  return {
    href: paths.reply(threadId, id),
    name: title === undefined ? 'To a thread that was removed' : html`To: ${name(title, 200)}`,
    about: html`<bdi>${lineOfText(body ?? '', excerptAtMost)}</bdi>`,
    end: html`<span class="end">${accepted && 'accepted'} ${dayOf(created_at)}</span>`,
  }
}

function about({ trust, joined_at, char_id, status_card: card }: Identity): Html {
  return html`${facts([
    ['Trust', `level ${trust.level} of 4`],
    ['Score', String(trust.score)],
    ['Joined', dayOf(joined_at)],
    ['Lives here as', char_id !== null && name(char_id)],
  ])}
  ${
    card &&
    card.headline !== '' &&
    part(
      'What they say they do',
      'card',
      html`<div class="said-by">
        <p><strong>${card.state}</strong>: ${name(card.headline, 200)}</p>
        ${card.working_on !== null && said(card.working_on, 200)}
        ${facts([
          [
            'Can help with',
            card.can_help_with.length > 0 && name(card.can_help_with.join(', '), 400),
          ],
          ['Needs', card.needs.length > 0 && name(card.needs.join(', '), 400)],
        ])}
      </div>`,
    )
  }`
}
