import type { pageOperations } from '#src/catalog/pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { money } from '#src/core/html/words.ts'
import type { Post } from '#src/feed/post.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { sumWords } from '#src/views/cost-words.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, name, outside, said } from '#src/views/parts.ts'
import { looks } from '#src/views/run-words.ts'
import type { AnswerOf } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Names } from '../console/names.ts'
import {
  countOf,
  lines,
  live,
  livePart,
  numbers,
  part,
  upTo,
  type Figure,
  type Line,
} from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import type { Paths } from '../paths.ts'

type Overview = AnswerOf<typeof pageOperations.account.overview>

/** What the page of today shows. */
interface Today {
  overview: Overview
  posts: readonly Post[]
  names: Names
}

/** The page of today. */
export function homeView(looking: Looking, today: Today): ConsoleView {
  const { paths } = looking.terms
  const here = paths.home
  const main = live(
    paths.events,
    here,
    html`${livePart('figures', numbers(figuresOf(today.overview, paths)))}
      <div class="panes">
        <div>
          ${livePart('needs', needsOf(looking, today))}
          ${livePart('failed', failedOf(looking, today))}
        </div>
        <div>
          ${livePart('next', nextOf(looking, today))}
          ${part('What they say', 'said', postsOf(looking, today))}
        </div>
      </div>`,
  )
  return { title: 'Today', main, place: 'today' }
}

function figuresOf(
  { runs, outcomes, needs, money: wallet, models }: Overview,
  paths: Paths,
): Figure[] {
  const failed = needs.failed_runs
  const working = {
    count: runs.running.count + runs.queued.count,
    more: runs.running.more || runs.queued.more,
  }
  return [
    { name: 'Need you', value: upTo(needs.approvals), tone: toneOf(needs.approvals.count, 'wait') },
    { name: 'Failed today', value: upTo(failed), tone: toneOf(failed.count, 'bad') },
    { name: 'At work', value: upTo(working) },
    { name: 'Done today', value: upTo(outcomes.completed) },
    { name: 'Models today', value: html`<a href="${paths.spend()}">${sumWords(models)}</a>` },
    ...(wallet
      ? [
          {
            name: 'Spent today',
            value: html`<a href="${paths.spend({ of: 'wallet' })}"
              >${money(wallet.out_cents, wallet.currency)}</a
            >`,
          },
        ]
      : []),
  ]
}

function toneOf<T>(many: number, tone: T): T | undefined {
  return many > 0 ? tone : undefined
}

function needsOf({ terms: { paths }, at }: Looking, { overview, names }: Today): Html {
  const { approvals, paused_tasks } = overview.needs
  const asked = approvals.newest.map(({ id, char_id, task_id, created_at }): Line => ({
    href: paths.approval(id),
    name: html`${names.of(char_id)} asks for your approval`,
    about: html`${taskOf(names, char_id, task_id)}, since ${timeOf(created_at, at)}`,
    end: badge(looks.waiting_approval),
  }))
  const paused = paused_tasks.first.map((task): Line => ({
    href: paths.agent(task.char_id),
    name: html`${name(task.name)} is paused`,
    about: html`${names.of(task.char_id)}: ${name(task.pause_reason)}`,
    end: badge({ word: 'Paused', tone: 'wait', icon: 'hand' }),
  }))
  const all = html`<a href="${paths.needs}">All that waits</a>`
  return part(
    'Needs you',
    'needs-title',
    lines([...asked, ...paused], 'Nothing waits for you.'),
    asked.length + paused.length > 0 && all,
  )
}

function failedOf({ terms: { paths }, at }: Looking, { overview, names }: Today): Html {
  const { failed_runs } = overview.needs
  const failed = failed_runs.newest.map((run): Line => ({
    href: paths.run(run.id),
    name: html`${names.of(run.char_id)}${
      run.task_id !== null && html` · ${taskOf(names, run.char_id, run.task_id)}`
    }`,
    about: html`${reasonOf(run.error_code)}, ${timeOf(run.created_at, at)}`,
    end: badge(looks[run.status]),
  }))
  const all = html`<a href="${paths.runs({ status: 'failed' })}">${countOf(failed_runs, 'run')}</a>`
  return part(
    'Failed today',
    'failed-title',
    lines(failed, 'Nothing failed.'),
    failed.length > 0 && all,
  )
}

function taskOf(names: Names, charId: string, taskId: string): Html {
  return name(names.task(charId, taskId) ?? taskId)
}

function reasonOf(code: string | null): Html | string {
  if (code === null) return 'It said no reason'
  return failureWords(code)?.says.replace(/\.$/, '') ?? name(code)
}

function nextOf({ terms: { paths }, at }: Looking, { overview, names }: Today): Html {
  const next = overview.next.map((entry: CalendarEntry): Line => ({
    href: paths.agent(entry.char_id),
    name: name(entry.name ?? entry.task_id),
    about: names.of(entry.char_id),
    end: timeOf(entry.fires_at, at),
  }))
  return part(
    'Next',
    'next-title',
    lines(next, 'Nothing is scheduled for the next seven days.'),
    html`<a href="${paths.schedule()}">The week</a>`,
  )
}

function postsOf({ at }: Looking, { posts, names }: Today): Html {
  const all = posts.map((post): Line => ({
    name: html`${names.of(post.char_id)} ${timeOf(post.created_at, at)}`,
    about: html`${outside(fromOutside(post))}${said(post.content, 400)}`,
  }))
  return lines(all, 'Your agents have not posted anything yet.')
}

/** The page of today of an account in which there is nothing yet. */
export function welcomeView({ terms: { paths } }: Looking, link = ''): ConsoleView {
  const main = html`<p class="lead">Three ways to begin:</p>
    <ul class="columns">
      <li class="card">
        <h2>An agent gave you a link</h2>
        <p>Open it. It shows what the agent made, and you decide whether it becomes yours.</p>
        <form method="post" action="${paths.welcome}">
          <div class="field">
            <label for="link">The claim link</label>
            <input
              id="link"
              name="link"
              value="${link}"
              type="url"
              autocomplete="off"
              required
              maxlength="500"
            />
          </div>
          <button class="main" name="action" value="open_claim">Open it</button>
        </form>
      </li>
      <li class="card">
        <h2>Connect what you work with</h2>
        <p>
          Claude, ChatGPT, an editor or any other MCP host signs you in at this address, and can
          make agents for you from then on.
        </p>
        <p><code>${paths.address('/mcp/account')}</code></p>
        <p><a href="${paths.guides}">How to connect</a></p>
      </li>
      <li class="card">
        <h2>Make a key for a program</h2>
        <p>A key lets your program make agents and run them over REST, MCP or A2A.</p>
        <p><a class="button" href="${paths.settings()}">Keys and settings</a></p>
      </li>
    </ul>`
  return { title: 'Welcome', main, place: 'today', isForAll: true }
}

/** What is known of who wrote a post, in the words of every other text. */
function fromOutside({ untrusted, origin }: Post): Parameters<typeof outside>[0] {
  return untrusted ? { untrusted, ...(origin && { source: origin }) } : {}
}
