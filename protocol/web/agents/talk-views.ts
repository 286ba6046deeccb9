import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Character } from '#src/agents/character.ts'
import { isRunnable } from '#src/runs/chat/choose-task.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, icon, name, outside, said, textOf } from '#src/views/parts.ts'
import { looks } from '#src/views/run-words.ts'
import type { AnswerOf } from '../ask.ts'
import { area, choice, problemOfAll, type Problems } from '../fields.ts'
import { lines, live, livePart, nextPage, part } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { onceField } from '../once.ts'

type Messages = AnswerOf<typeof agentOperations.talk.list>
type Message = Messages['items'][number]

/** What a page of conversations shows. */
interface Talk {
  /** The conversation that is open. */
  context: string | undefined
  /** Those of it, or the newest of all. */
  messages: Messages
  typed?: URLSearchParams | undefined
  problems?: Problems
}

/** A conversation with an agent, or the way to begin one and to those that were. */
export function talkView(looking: Looking, agent: Character, talk: Talk): Html {
  return talk.context === undefined
    ? beginningOf(looking, agent, talk)
    : conversationOf(looking, agent, talk, talk.context)
}

function beginningOf(looking: Looking, agent: Character, talk: Talk): Html {
  const { paths } = looking.terms
  // The newest message of each conversation stands for it.
  const newest = new Map(
    talk.messages.items.toReversed().map((message) => [message.context_id, message]),
  )
  const known = [...newest.values()].toReversed().map((message) => ({
    href: paths.agent(agent.id, ['talk'], { with: message.context_id }),
    name: name(textOf(message.input), 120),
    about: html`${timeOf(message.created_at, looking.at)}${!message.is_sender && ', written by another'}`,
    end: badge(looks[message.status]),
  }))
  const { next_cursor } = talk.messages
  const older =
    next_cursor === null ? undefined : paths.agent(agent.id, ['talk'], { cursor: next_cursor })
  return html`${part('Say something', 'say', formOf(agent, talk))}
  ${part(
    'Earlier conversations',
    'earlier',
    html`${lines(known, 'No one has talked with it yet.')} ${nextPage(older)}`,
  )}`
}

function conversationOf(looking: Looking, agent: Character, talk: Talk, context: string): Html {
  const { paths } = looking.terms
  const here = paths.agent(agent.id, ['talk'], { with: context })
  const { items, next_cursor } = talk.messages
  const isOwn = items.every(({ is_sender }) => is_sender)
  const older =
    next_cursor === null
      ? undefined
      : paths.agent(agent.id, ['talk'], { with: context, cursor: next_cursor })
  const all = html`<a href="${paths.agent(agent.id, ['talk'])}">All conversations</a>`
  return live(
    paths.events,
    here,
    part(
      'Conversation',
      'conversation',
      html`${nextPage(older, 'What was said before')}
      ${livePart('said', exchangeOf(looking, agent, items.toReversed()))}
      ${isOwn ? formOf(agent, talk) : html`<p class="soft">Another wrote here. You can read it, and begin a conversation of your own.</p>`}`,
      all,
    ),
  )
}

function exchangeOf(looking: Looking, agent: Character, messages: readonly Message[]): Html {
  if (messages.length === 0) return html`<p class="soft">Nothing was said here.</p>`
  const isOpen = messages.some(({ finished_at }) => finished_at === null)
  return html`<ol class="talk">
      ${messages.map((message, index) => saidOf(looking, agent, message, index === messages.length - 1))}
    </ol>
    ${isOpen && html`<p class="soft">Without scripts, load this page again to see the answer.</p>`}`
}

function saidOf(looking: Looking, agent: Character, message: Message, isNewest: boolean): Html {
  const { at } = looking
  const { input, created_at, is_sender } = message
  return html`<li class="from-me" ${isNewest && html`id="newest"`}>
      <p class="over">${is_sender ? 'You' : 'Another'} ${timeOf(created_at, at)}</p>
      ${outside(message)} ${said(input, 4000)}
    </li>
    <li class="from-it">
      <p class="over">${name(agent.name)}</p>
      ${replyOf(looking, message)}
    </li>`
}

function replyOf({ terms: { paths } }: Looking, message: Message): Html {
  const { status, output, error, approval, run_id } = message
  const words = error && failureWords(error.code)
  return html`${
      error &&
      html`<p class="wrong">${icon('cross')} ${words ? words.says : 'It failed.'}</p>
        <p class="soft">${name(error.message, 600)}</p>`
    }
    ${
      status === 'waiting_approval' && approval
        ? html`<p><a href="${paths.approval(approval.id)}">It waits for an approval</a></p>`
        : output === null || output === undefined
          ? !error && badge(looks[status])
          : said(output)
    }
    <p class="soft"><a href="${paths.run(run_id)}">How it came to this</a></p>`
}

function formOf(agent: Character, { context, typed, problems = {} }: Talk): Html {
  const tasks = (agent.heart?.tasks ?? []).filter(isRunnable)
  if (tasks.length === 0) {
    return html`<p class="empty">
      It has no task that a message could start: they are off, paused, or started by hand alone.
    </p>`
  }
  const chosen = typed?.get('task') ?? ''
  return html`<form method="post" class="card" novalidate>
    ${problemOfAll(problems)} ${onceField()}
    <input type="hidden" name="with" value="${context ?? ''}" />
    ${area({
      name: 'words',
      label: 'Your words',
      attributes: html`rows="3" dir="auto" maxlength="10000" required`,
      value: typed?.get('words') ?? '',
      problems,
    })}
    ${
      tasks.length > 1 &&
      choice({
        name: 'task',
        label: 'To be answered by',
        options: html`<option value="">the first task that takes messages</option>
          ${tasks
            .slice(0, 50)
            .map(
              ({ task_id, name: called }) =>
                html`<option value="${task_id}" ${task_id === chosen && html`selected`}>
                  ${withHiddenShown(called.slice(0, 120))}
                </option>`,
            )}`,
        problems,
      })
    }
    <button class="main" name="action" value="say">Say it</button>
  </form>`
}
