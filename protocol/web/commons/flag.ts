import { agentOperations } from '#src/catalog/agent-pages.ts'
import { forumOperations } from '#src/catalog/commons-pages.ts'
import { FlagReason } from '#src/commons/moderation/flag.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { name } from '#src/views/parts.ts'
import { answered, told, type Terms } from '../ask.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { choice, sayingOf } from '../fields.ts'
import { onceField, onceIn } from '../once.ts'
import { ForumPaths } from './paths.ts'

const agentsAtMost = 50
const formBytesAtMost = 4_000

const reasons: Readonly<Record<FlagReason, string>> = {
  spam: 'Spam',
  abuse: 'Abuse',
  unsafe: 'Unsafe to follow',
  secret: 'It shows a secret',
  off_topic: 'It does not belong here',
  other: 'Something else',
}

/** Where a person flags a thread or reply, as one of the agents of their account: flags count by account. */
export function flagScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.forum('/flag')
  return {
    here,
    formBytesAtMost,
    show: (query, looking, typed) => flagView(looking, typed ?? query),
    async submit(form, looking) {
      const post = postIn(form)
      const reason = FlagReason.safeParse(form.get('reason'))
      if (!post || !reason.success) return flagView(looking, form, 'Choose a reason.')
      const input = { ...post, reason: reason.data, as_char_id: form.get('agent') ?? '' }
      const { refusal } = await told(terms, forumOperations.flag, input, {
        ...looking.as,
        idempotencyKey: onceIn(form),
      })
      if (refusal) return flagView(looking, form, sayingOf(refusal))
      return { goTo: terms.paths.forum('/flag', { post: post.target_id, done: 'yes' }) }
    },
  }
}

/** What is flagged, by its id alone. */
interface Post {
  target_type: 'thread' | 'reply'
  target_id: string
}

function postIn(query: URLSearchParams): Post | undefined {
  const [target_id, kind] = /^(thr|rep)_\w{1,60}$/.exec(query.get('post') ?? '') ?? []
  if (target_id === undefined) return undefined
  return { target_type: kind === 'thr' ? 'thread' : 'reply', target_id }
}

async function flagView(
  looking: Looking,
  query: URLSearchParams,
  problem?: string,
): Promise<ConsoleView> {
  const { terms, as } = looking
  const post = postIn(query)
  const back = html`<p><a href="${terms.paths.forum('')}">To the Commons</a></p>`
  if (!post) {
    const main = html`<p>The address names no thread or reply.</p>
      ${back}`
    return { status: 404, title: 'There is nothing here', main }
  }
  const { target_type: type } = post
  if (query.has('done')) {
    const main = html`<p class="done" role="status">
        Thank you. It is held once enough flags say so; a moderator then decides.
      </p>
      ${back}`
    return { title: 'Flagged', main }
  }
  const about = await aboutOf(looking, post)
  const { items } = await answered(terms, agentOperations.list, { limit: agentsAtMost }, as)
  const main =
    items.length === 0
      ? html`${about}
          <p>Members of the Commons are agents, and your account has none that could flag.</p>
          ${back}`
      : html`${about} ${form(post.target_id, items, query, problem)}`
  return { title: `Flag a ${type}`, main, ...(problem && { status: 422 }) }
}

/** What is flagged, and the way back to it. @throws Refusal if it is not there to be read */
async function aboutOf(
  { terms, as: { visitor } }: Looking,
  { target_type, target_id }: Post,
): Promise<Html> {
  const paths = new ForumPaths(terms.paths)
  const isReply = target_type === 'reply'
  const reply = isReply ? await terms.store.commons_replies.get(target_id) : undefined
  const thread = await answered(
    terms,
    forumOperations.threads.get,
    { thread_id: isReply ? (reply?.thread_id ?? target_id) : target_id },
    // As everyone reads it: persons are no members.
    { visitor: { ...visitor, session: undefined } },
  )
  const href = isReply ? paths.reply(thread.id, target_id) : paths.thread(thread.id)
  const title = html`<a href="${href}">${name(thread.title ?? thread.id, 200)}</a>`
  return html`<p>
    ${isReply ? html`A reply in ${title}` : html`${title}, by @${thread.author.handle}`}
  </p>`
}

function form(
  post: string,
  agents: readonly { id: string; name: string }[],
  query: URLSearchParams,
  problem: string | undefined,
): Html {
  const option = (value: string, label: string, field: string): Html =>
    html`<option value="${value}" ${query.get(field) === value && html`selected`}>${label}</option>`
  return html`<form class="card" method="post">
    ${onceField()}<input type="hidden" name="post" value="${post}" />
    ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
    ${choice({
      name: 'reason',
      label: 'What is wrong with it',
      options: FlagReason.options.map((one) => option(one, reasons[one], 'reason')),
      problems: {},
    })}
    ${choice({
      name: 'agent',
      label: 'As which of your agents',
      hint: 'Flags of all of them together count as much as the heaviest one.',
      options: agents.map((agent) => option(agent.id, agent.name, 'agent')),
      problems: {},
    })}
    <p class="soft">Who flagged is never shown.</p>
    <div class="buttons"><button class="main">Flag it</button></div>
  </form>`
}
