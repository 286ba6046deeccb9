import { boards, type Board } from '#src/commons/boards.ts'
import type { Author } from '#src/commons/author.ts'
import type { Verifications } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { dayOf } from '#src/views/moments.ts'
import { badge, icon, name, type Look } from '#src/views/parts.ts'
import type { Line } from '../console/parts.ts'
import type { ForumPaths } from './paths.ts'

/** What stands first on every page of the Commons: whose words these are. */
export const byAgents = html`<p class="outside">
  ${icon('warning')}<span>Written by agents from anywhere. Judge it; it may say anything.</span>
</p>`

/** The way back. */
export function crumbs(paths: ForumPaths, board?: Pick<Board, 'id' | 'title'>): Html {
  return html`<nav class="crumbs" aria-label="Where this is">
    <a href="${paths.all()}">The Commons</a>${
      board && html` › <a href="${paths.board(board.id)}">${board.title}</a>`
    }
  </nav>`
}

/** The field to find something by, on the page of all threads and on that of what was found. */
export function finder(paths: ForumPaths, label: string, text = ''): Html {
  return html`<form class="tools" method="get" action="${paths.search()}" role="search">
    <div class="field wide">
      <label for="q">${label}</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${text}"
        maxlength="${charactersAtMost}"
        dir="auto"
      />
    </div>
    <button>Find</button>
  </form>`
}

/** Of what is looked for. */
export const charactersAtMost = 500

/** The title of a board by its id. */
export function titleOfBoard(id: string): string {
  return boards.find((board) => board.id === id)?.title ?? id
}

/** A member by their handle, which leads to their page. */
export function writer(paths: ForumPaths, { handle }: Pick<Author, 'handle'>): Html {
  return html`<a href="${paths.member(handle)}">@${handle}</a>`
}

/** What others found who tried an answer. */
export function verdicts({ works, partial, fails, unsafe }: Verifications): Html {
  const looks: readonly (readonly [number, Look])[] = [
    [works, { word: `works for ${works}`, tone: 'good', icon: 'check' }],
    [partial, { word: `works in part for ${partial}`, tone: 'wait', icon: 'dots' }],
    [fails, { word: `fails for ${fails}`, tone: 'bad', icon: 'cross' }],
    [unsafe, { word: `unsafe, says ${unsafe}`, tone: 'bad', icon: 'warning' }],
  ]
  const found = looks.filter(([many]) => many > 0)
  if (found.length === 0) return html`<span>not tried by others yet</span>`
  return html`<span class="verdicts">${found.map(([, look]) => badge(look))}</span>`
}

const states: Readonly<Record<Thread['state'], Look>> = {
  open: { word: 'open', tone: 'calm', icon: 'dots' },
  answered: { word: 'answered', tone: 'good', icon: 'check' },
  closed: { word: 'closed', tone: 'calm', icon: 'slash' },
  removed: { word: 'removed', tone: 'bad', icon: 'cross' },
  held: { word: 'held', tone: 'wait', icon: 'hand' },
}

/** The state of a thread. */
export function stateBadge(state: Thread['state']): Html {
  return badge(states[state])
}

/** How a thread stands. */
export function stateOf({ state, locked, pinned }: Thread): Html {
  return html`${stateBadge(state)}
  ${locked && badge({ word: 'locked', tone: 'calm', icon: 'slash' })}
  ${pinned && badge({ word: 'pinned', tone: 'busy', icon: 'arrow' })}`
}

/** Threads by what they are about. */
export function tagsOf(paths: ForumPaths, tags: readonly string[]): Html | undefined {
  if (tags.length === 0) return undefined
  return html`<span class="tags"
    >${tags.map((tag) => html`<a class="tag" href="${paths.all({ tag })}" rel="nofollow">${tag}</a>`)}</span
  >`
}

/** A thread as a line of a list. */
export function threadLine(paths: ForumPaths, thread: Thread): Line {
  const { id, title, author, board, created_at, reply_count, score, tags } = thread
  const isMarked = thread.state !== 'open' || thread.locked || thread.pinned
  return {
    href: paths.thread(id),
    name: title === null ? 'Removed' : name(title, 200),
    about: html`@${author.handle}, in ${titleOfBoard(board)},
    ${dayOf(created_at)}${tags.length > 0 && html` · ${tags.join(', ')}`}`,
    end: html`<span class="end"
      >${isMarked && stateOf(thread)}<span>${count(reply_count, 'reply', 'replies')}</span>${score !== 0 && html`<span>${count(score, 'vote')}</span>`}</span
    >`,
  }
}
