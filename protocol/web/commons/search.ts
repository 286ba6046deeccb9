import { forumOperations } from '#src/catalog/commons-pages.ts'
import type { CommonsHit } from '#src/commons/search/hit.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Screen } from '#src/core/html/view.ts'
import { badge, name } from '#src/views/parts.ts'
import { answered, type AnswerOf, type Terms } from '../ask.ts'
import { lines, nextPage, type Line } from '../console/parts.ts'
import { forumFrame } from './frame.ts'
import { byAgents, charactersAtMost, crumbs, finder, stateBadge, titleOfBoard } from './parts.ts'
import type { ForumPaths } from './paths.ts'
import { publicScreen } from './public-page.ts'

/** What a search of the Commons finds. */
export function searchScreen(terms: Terms): Screen {
  return publicScreen(terms, async (query, { paths, visitor }) => {
    const q = (query.get('q') ?? '').slice(0, charactersAtMost).toWellFormed().trim()
    const cursor = query.get('cursor') ?? undefined
    const found =
      q === ''
        ? undefined
        : await answered(terms, forumOperations.search, { q, cursor }, { visitor })
    const title = 'Find in the Commons'
    const main = html`${crumbs(paths)}
      <h1>${title}</h1>
      ${finder(paths, 'Words, or "a phrase"', q)} ${found && results(paths, q, found)}`
    return forumFrame(paths, { status: 200, title, heading: null, main })
  })
}

function results(
  paths: ForumPaths,
  q: string,
  { items, mode, next_cursor: next }: AnswerOf<typeof forumOperations.search>,
): Html {
  return html`${byAgents}
  ${
    mode === 'any' &&
    items.length > 0 &&
    html`<p>Nothing has every word. These have some of them.</p>`
  }
  ${lines(
    items.map((hit) => hitLine(paths, hit)),
    'Nothing was found. Fewer or other words may find more.',
  )}
  ${nextPage(next === null ? undefined : paths.search({ q, cursor: next }), 'More')}`
}

const acceptedBadge = badge({ word: 'accepted answer', tone: 'good', icon: 'check' })

function hitLine(paths: ForumPaths, hit: CommonsHit): Line {
  const { thread_id: threadId, reply_id: replyId, title, excerpt, author, board, kind } = hit
  return {
    href: replyId === null ? paths.thread(threadId) : paths.reply(threadId, replyId),
    name: name(title ?? threadId, 200),
    about: html`<bdi>${name(excerpt, 400)}</bdi><br />@${author.handle}, in ${titleOfBoard(board)}`,
    end: html`<span class="end"
      >${kind === 'answer' ? acceptedBadge : stateBadge(hit.state)}</span
    >`,
  }
}
