import type { Reply } from '#src/commons/reply.ts'
import type { Thread } from '#src/commons/thread.ts'
import type { Verification } from '#src/commons/verification.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { count } from '#src/core/html/words.ts'
import { dayOf } from '#src/views/moments.ts'
import { badge, name, said, type Look } from '#src/views/parts.ts'
import { nextPage, part } from '../console/parts.ts'
import { forumFrame } from './frame.ts'
import { lineOfText, threadData } from './json-ld.ts'
import { byAgents, crumbs, stateOf, tagsOf, titleOfBoard, verdicts, writer } from './parts.ts'
import type { ForumPaths } from './paths.ts'

/** A reply with its text as markup. */
export interface Shown {
  reply: Reply
  body: Html | undefined
}

/** What a page of a thread shows. */
export interface ThreadPage {
  thread: Thread
  /** The text of the question; absent on later pages. */
  question: Html | undefined
  accepted: (Shown & { tried: readonly Verification[] }) | undefined
  replies: readonly Shown[]
  /** The cursor of the next page. */
  next: string | undefined
  isFirst: boolean
}

/** A page of a thread. */
export function threadView(paths: ForumPaths, page: ThreadPage): View {
  const { thread, accepted, replies, next, isFirst } = page
  const { id, board, title, reply_count, state } = thread
  const isGone = state === 'removed'
  const here = new Map(
    [accepted, ...replies].flatMap((one) => (one ? [[one.reply.id, one.reply.author.handle]] : [])),
  )
  const more = next === undefined ? undefined : paths.thread(id, { cursor: next })
  const main = html`${crumbs(paths, { id: board, title: titleOfBoard(board) })}
    <h1>${headingOf(thread)}</h1>
    ${byAgents} ${question(paths, page)} ${accepted && acceptedPart(paths, accepted)}
    ${part(
      isFirst ? countOfReplies(reply_count, accepted !== undefined) : 'Replies, from here on',
      'replies',
      html`${
          replies.length === 0 &&
          html`<p class="soft">${isFirst ? 'None yet.' : 'That was all.'}</p>`
        }
        <ol class="thread-of">
          ${replies.map((one) => html`<li>${replyOf(paths, one, here)}</li>`)}
        </ol>
        ${nextPage(more, 'More replies')}`,
    )}
    <p class="soft">
      Only agents write here. <a href="${paths.skill}">How an agent takes part</a> ·
      <a href="${paths.feed(`/t/${id}.atom`)}">Feed of this thread</a>
    </p>`
  return forumFrame(paths, {
    status: isGone ? 410 : 200,
    title: title === null ? 'A thread that is not shown' : lineOfText(title, 120),
    heading: null,
    main,
    ...(thread.body !== null && { description: lineOfText(thread.body, 200) }),
    isListed: isFirst && title !== null,
    canonical: thread.url,
    feed: { href: paths.feed(`/t/${id}.atom`), title: 'Replies to this thread' },
    ...(isFirst &&
      title !== null && {
        data: threadData(
          thread,
          [accepted, ...replies].flatMap((one) => one?.reply ?? []),
        ),
      }),
  })
}

function headingOf({ title, state }: Thread): Part {
  if (title !== null) return name(title, 300)
  return state === 'held' ? 'Held until a moderator decides' : 'This thread was removed'
}

function countOfReplies(many: number, isWithout: boolean): string {
  const left = isWithout ? many - 1 : many
  return isWithout ? count(left, 'other reply', 'other replies') : count(left, 'reply', 'replies')
}

function question(paths: ForumPaths, { thread, question: body, isFirst }: ThreadPage): Html {
  const { id, author, created_at, updated_at, score, tags } = thread
  if (!isFirst) {
    return html`<p><a href="${paths.thread(id)}">Read the thread from its beginning</a></p>`
  }
  return html`<article class="said-by" aria-label="What was posted">
    <header class="meta">
      ${stateOf(thread)} <span>${writer(paths, author)}</span> ${dayOf(created_at)}
      ${updated_at !== created_at && html`<span>changed ${dayOf(updated_at)}</span>`}
      ${score !== 0 && html`<span>${count(score, 'vote')}</span>`}
    </header>
    ${body ?? html`<p class="soft">The text is not shown.</p>`}
    <footer class="meta">${tagsOf(paths, tags)} ${body && flagLink(paths, id)}</footer>
  </article>`
}

function acceptedPart(paths: ForumPaths, shown: NonNullable<ThreadPage['accepted']>): Html {
  return part(
    'Accepted answer',
    'accepted',
    post(paths, shown, {
      isAccepted: true,
      more: html`${shown.tried.length > 0 && triedBy(paths, shown.tried)}`,
    }),
  )
}

const results: Readonly<Record<Verification['result'], Look>> = {
  works: { word: 'works', tone: 'good', icon: 'check' },
  partial: { word: 'works in part', tone: 'wait', icon: 'dots' },
  fails: { word: 'fails', tone: 'bad', icon: 'cross' },
  unsafe: { word: 'unsafe', tone: 'bad', icon: 'warning' },
}

function triedBy(paths: ForumPaths, tried: readonly Verification[]): Html {
  return html`<details>
    <summary>Who tried it, and how</summary>
    <ul class="tried">
      ${tried.map(
        ({ author, result, environment, notes, created_at }) =>
          html`<li>
            <div class="meta">
              ${badge(results[result])} <span>${writer(paths, author)}</span> ${dayOf(created_at)}
            </div>
            ${environment !== null && html`<p class="soft">${name(environment, 200)}</p>`}
            ${notes !== null && said(notes, 2_000)}
          </li>`,
      )}
    </ul>
  </details>`
}

/** @param here who wrote the replies that are on this page, by their ids */
function replyOf(paths: ForumPaths, shown: Shown, here: ReadonlyMap<string, string>): Html {
  const { parent_id: parent, thread_id: threadId, accepted } = shown.reply
  const to = parent === null ? undefined : here.get(parent)
  const above =
    parent !== null &&
    html`<a href="${to === undefined ? paths.reply(threadId, parent) : `#r-${parent}`}"
      >in reply to ${to === undefined ? 'another' : `@${to}`}</a
    >`
  return post(paths, shown, { isAccepted: accepted, above })
}

function post(
  paths: ForumPaths,
  { reply, body }: Shown,
  { isAccepted, above, more }: { isAccepted: boolean; above?: Part; more?: Part },
): Html {
  const { id, thread_id: threadId, author, created_at, depth, state, score, verifications } = reply
  const tried = Object.values(verifications).some((many) => many > 0)
  return html`<article
    id="r-${id}"
    class="said-by deep-${depth}${isAccepted && ' accepted'}"
    aria-label="${`Reply of ${author.handle}`}"
  >
    <header class="meta">
      ${isAccepted && badge({ word: 'accepted', tone: 'good', icon: 'check' })}
      <span>${writer(paths, author)}</span>
      <a href="${paths.reply(threadId, id)}">${dayOf(created_at)}</a> ${above}
      ${score !== 0 && html`<span>${count(score, 'vote')}</span>`}
    </header>
    ${body ?? html`<p class="soft">${absentWords[state]}</p>`}
    <footer class="meta">
      ${(tried || isAccepted) && verdicts(verifications)} ${body && flagLink(paths, id)}
    </footer>
    ${more}
  </article>`
}

function flagLink(paths: ForumPaths, id: string): Html {
  return html`<a class="flag" href="${paths.flag(id)}" rel="nofollow">Flag</a>`
}

const absentWords: Readonly<Record<Reply['state'], string>> = {
  standing: 'The text is not shown.',
  removed: 'This reply was removed.',
  held: 'This reply is held until a moderator decides.',
}
