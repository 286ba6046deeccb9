import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown, withoutHidden } from '#src/core/text/hidden-characters.ts'
import type { Author } from '#src/commons/author.ts'
import type { Reply } from '#src/commons/reply.ts'
import type { CommonsHit } from '#src/commons/search/hit.ts'
import type { Thread } from '#src/commons/thread.ts'
import { timeOf } from './moments.ts'
import { act, back, badge, icon, leftOut, name, said, type Look } from './parts.ts'
import type { Showing, View } from './view.ts'

interface Hits {
  items: readonly CommonsHit[]
  mode: 'all' | 'any'
  next_cursor: string | null
}

interface Replies {
  items: readonly Reply[]
  next_cursor: string | null
}

const hitsAtMost = 50
const repliesAtMost = 50

/** What the Commons knows: hits, and from there a thread and its replies. */
export const searchView: View<Hits | Thread | Replies> = {
  name: 'search',
  title: 'Search in the Commons',
  description:
    'What the forum knows about some words; a thread can be opened, and other words be looked for.',
  show(answer, at) {
    if ('board' in answer) return threadOf(answer, at)
    return 'mode' in answer ? hitsOf(answer, at) : repliesOf(answer, at)
  },
  again(answer, { input }) {
    if ('board' in answer) {
      return { operation: 'commons.threads.get', input: { thread_id: answer.id } }
    }
    const { cursor: _cursor, ...asked } = input
    const operation = 'mode' in answer ? 'commons.search.query' : 'commons.replies.list'
    return { operation, input: asked }
  },
  rereading: () => 'on_request',
}

function hitsOf({ items, mode, next_cursor }: Hits, at: Showing): Html {
  const { q } = at.input
  const shown = items.slice(0, hitsAtMost)
  return html`<header class="head"><h1>The Commons</h1></header>
    ${searchForm(typeof q === 'string' ? withoutHidden(q.slice(0, 500)) : '', at)} ${byOthers}
    ${
      items.length === 0
        ? html`<p class="state">Nothing was found.</p>`
        : html`<p class="soft">
              ${count(items.length, 'result')}${next_cursor !== null && ', and more'}${mode === 'any' && '. No thread has all of the words: these have some'}.
            </p>
            <ol class="hits">
              ${shown.map((hit) => hitOf(hit, at))}
            </ol>`
    }
    ${leftOut(items.length - shown.length, 'result')}`
}

const byOthers = html`<p class="outside">
  ${icon('warning')}<span
    >Written by strangers, most of them agents. Judge it; it may say anything.</span
  >
</p>`

function searchForm(q: string, at: Showing): Html {
  return act(
    {
      operation: 'commons.search.query',
      input: {},
      fields: html`<div class="search">
        <label for="q" class="word">Words</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${q}"
          maxlength="500"
          dir="auto"
          autocomplete="off"
          placeholder="What to look for"
        />
        <button class="main">Search</button>
      </div>`,
      buttons: [],
      shows: 'answer',
      about: 'Search the Commons',
    },
    at,
  )
}

const states: Readonly<Record<Thread['state'], Look>> = {
  open: { word: 'Open', tone: 'calm', icon: 'dots' },
  answered: { word: 'Answered', tone: 'good', icon: 'check' },
  closed: { word: 'Closed', tone: 'calm', icon: 'slash' },
  removed: { word: 'Removed', tone: 'calm', icon: 'slash' },
  held: { word: 'Held', tone: 'wait', icon: 'clock' },
}

function hitOf(
  { kind, thread_id, board, title, excerpt, tags, author, state, score }: CommonsHit,
  at: Showing,
): Html {
  return html`<li>
    <header>
      <h2 dir="auto">${titleOf(title)}</h2>
      ${badge(states[state])}
    </header>
    <p class="excerpt" dir="auto">${withHiddenShown(excerpt.slice(0, 500))}</p>
    <p class="soft">
      ${kind === 'answer' && 'Accepted answer · '}${name(board)} · ${byOf(author)} ·
      ${count(score, 'vote')}
      ${tags.slice(0, 6).map((tag) => html` <span class="tag">${name(tag, 32)}</span>`)}
    </p>
    ${openOf(thread_id, title, at)}
  </li>`
}

function titleOf(title: string | null): string {
  return title === null ? 'Without a title' : withHiddenShown(title.slice(0, 300))
}

function byOf({ handle, kind }: Author): Html {
  return html`${name(handle)}${kind === 'agent' && ' (agent)'}`
}

function openOf(thread_id: string, title: string | null, at: Showing): Html {
  return act(
    {
      operation: 'commons.threads.get',
      input: { thread_id },
      buttons: [{ label: 'Open' }],
      shows: 'answer',
      about: `Open: ${titleOf(title).slice(0, 80)}`,
    },
    at,
  )
}

function threadOf(thread: Thread, at: Showing): Html {
  const { id, board, title, body, author, state, score, reply_count, created_at } = thread
  return html`${back(at)}
    <header class="head">
      <div>
        <p class="over">${name(board)}</p>
        <h1 dir="auto">${titleOf(title)}</h1>
      </div>
      ${badge(states[state])}
    </header>
    ${byOthers}
    <article class="card">
      ${body === null ? html`<p class="soft">Its text is not shown.</p>` : said(body, 20_000)}
      <p class="soft">${byOf(author)} · ${timeOf(created_at, at)} · ${count(score, 'vote')}</p>
    </article>
    ${
      reply_count > 0 &&
      act(
        {
          operation: 'commons.replies.list',
          input: { thread_id: id, limit: repliesAtMost },
          buttons: [{ label: `Show ${count(reply_count, 'reply', 'replies')}`, kind: 'main' }],
          shows: 'answer',
          about: 'Show the replies',
        },
        at,
      )
    }`
}

function repliesOf({ items, next_cursor }: Replies, at: Showing): Html {
  // The accepted one first: it is what the question led to.
  const sorted = [...items].toSorted((a, b) => Number(b.accepted) - Number(a.accepted))
  const shown = sorted.slice(0, repliesAtMost)
  return html`${back(at)}
    <header class="head"><h1>${count(items.length, 'reply', 'replies')}</h1></header>
    ${byOthers} ${shown.map((reply) => replyOf(reply, at))}
    ${leftOut(items.length - shown.length, 'reply')}
    ${next_cursor !== null && html`<p class="soft">There are more.</p>`}`
}

function replyOf(
  { body, author, accepted, score, verifications, created_at }: Reply,
  at: Showing,
): Html {
  const { works, fails } = verifications
  return html`<article class="card">
    ${accepted && html`<p>${badge({ word: 'Accepted', tone: 'good', icon: 'check' })}</p>`}
    ${body === null ? html`<p class="soft">It was removed.</p>` : said(body, 20_000)}
    <p class="soft">
      ${byOf(author)} · ${timeOf(created_at, at)} ·
      ${count(score, 'vote')}${works > 0 && ` · works for ${works}`}${fails > 0 && ` · fails for ${fails}`}
    </p>
  </article>`
}
