import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { isPausedWithAgent } from '#src/agents/app/pause.ts'
import type { Character } from '#src/agents/character.ts'
import type { Run } from '#src/runs/run.ts'
import { timeOf } from '#src/views/moments.ts'
import { facts, icon, leftOut, name, said } from '#src/views/parts.ts'
import type { AnswerOf } from '../ask.ts'
import { lines, live, livePart, part } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import { lineOfFriend, lineOfItem, lineOfPost, lineOfRun, lineOfTask } from './lines.ts'

type Ops = typeof agentOperations
/** What the page of an agent shows. */
export interface Overview {
  agent: Character
  runs: readonly Run[]
  /** Its coming fires. */
  next: AnswerOf<Ops['calendar']>['items']
  posts: AnswerOf<Ops['posts']['list']>['items']
  knowledge: AnswerOf<Ops['knowledge']['list']>['items']
  secrets: AnswerOf<Ops['secrets']['list']>['items']
  friends: AnswerOf<Ops['friends']['list']>['items']
  channels: AnswerOf<Ops['channels']['list']>['items']
  /** Of its friends. */
  names: Names
}

const [tasksShown, runsShown, serversShown] = [10, 8, 10]

/** Everything about an agent at a glance, each part with the way to all of it. */
export function overviewOf(looking: Looking, whole: Overview, done?: string): Html {
  const { paths } = looking.terms
  const here = paths.agent(whole.agent.id)
  return live(
    paths.events,
    here,
    html`${doneOf(done)} ${whoOf(looking, whole.agent)}
      <div class="panes">
        <div>
          ${livePart('tasks', tasksOf(looking, whole))} ${livePart('runs', runsOf(looking, whole))}
          ${postsOf(looking, whole)}
        </div>
        <div>
          ${livePart('knows', knowledgeOf(looking, whole))} ${secretsOf(looking, whole)}
          ${serversOf(whole)} ${channelsOf(whole)} ${friendsOf(looking, whole)}
          ${seenOf(looking, whole)}
        </div>
      </div>`,
  )
}

function whoOf({ terms: { paths }, at }: Looking, agent: Character): Html {
  const { role, tagline, bio, app_id, brain, created_at } = agent
  const line = [role, tagline].filter((text) => text !== null && text !== '').join(' · ')
  return html`${line !== '' && html`<p class="lead" dir="auto">${withHiddenShown(line.slice(0, 300))}</p>`}
    ${
      bio !== null &&
      bio !== '' &&
      html`<details>
        <summary>About it</summary>
        ${said(bio, 4000)}
      </details>`
    }
    ${facts([
      ['Id', html`<code>${name(agent.id, 128)}</code>`],
      [
        'Team',
        app_id === null ? undefined : html`<a href="${paths.team(app_id)}">${name(app_id)}</a>`,
      ],
      ['Model', brain?.llm_model == null ? undefined : name(brain.llm_model)],
      ['Since', timeOf(created_at, at)],
    ])}
    <p>
      <a href="${paths.agent(agent.id, ['profile'])}">Edit who it is</a> ·
      <a href="${paths.agent(agent.id, ['revisions'])}">Earlier versions</a>
    </p>`
}

function tasksOf(looking: Looking, { agent, runs, next }: Overview): Html {
  const tasks = agent.heart?.tasks ?? []
  const shown = tasks.slice(0, tasksShown)
  const all = html`<a href="${looking.terms.paths.agent(agent.id, ['tasks'])}">All tasks</a>`
  return part(
    'Tasks',
    'tasks-title',
    html`${lines(
      shown.map((task) => {
        const isIts = (one: { task_id?: string | null }) => one.task_id === task.task_id
        return lineOfTask(looking, task, runs.find(isIts), next.find(isIts))
      }),
      'It has no tasks yet.',
    )}
    ${leftOut(tasks.length - shown.length, 'task')}`,
    tasks.length > 0 && html`${switchOf(agent)}${all}`,
  )
}

/** One button for all of its tasks. */
function switchOf({ heart }: Character): Html | undefined {
  const tasks = heart?.tasks ?? []
  const isOn = tasks.some(({ enabled }) => enabled)
  if (!isOn && !tasks.some(isPausedWithAgent)) return undefined
  return html`<form method="post" class="inline">
    ${
      isOn
        ? html`<button class="plain" name="action" value="pause">Pause all of them</button>`
        : html`<button class="plain" name="action" value="resume">Let them go on</button>`
    }
  </form>`
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['pause', 'Its tasks are paused: no trigger starts them. Runs under way go on.'],
  ['resume', 'Its tasks go on.'],
  ['saved', 'The change is saved.'],
  ['restored', 'It is again as it was.'],
])

function doneOf(done: string | undefined): Html | undefined {
  const words = done === undefined ? undefined : doneWords.get(done)
  return words === undefined ? undefined : html`<p class="done" role="status">${words}</p>`
}

function runsOf(looking: Looking, { agent, runs }: Overview): Html {
  const called = new Map(agent.heart?.tasks.map((task) => [task.task_id, task.name]))
  const shown = runs.slice(0, runsShown).map((run) => {
    const of = run.task_id ?? 'profile'
    return lineOfRun(looking, run, name(called.get(of) ?? of))
  })
  const all = html`<a href="${looking.terms.paths.runs({ char_id: agent.id })}">All its runs</a>`
  return part(
    'Newest runs',
    'runs-title',
    lines(shown, 'It has not run yet.'),
    shown.length > 0 && all,
  )
}

function postsOf({ terms, at }: Looking, { agent, posts }: Overview): Html {
  const shown = posts.map((post) => lineOfPost(post, at))
  const all = html`<a href="${terms.paths.agent(agent.id, ['posts'])}">All of it</a>`
  return part(
    'What it says',
    'posts-title',
    lines(shown, 'It has not posted anything yet.'),
    shown.length > 0 && all,
  )
}

function knowledgeOf(looking: Looking, { agent, knowledge }: Overview): Html {
  const all = html`<a href="${looking.terms.paths.agent(agent.id, ['knowledge'])}">All of it</a>`
  return part(
    'Knowledge',
    'knowledge-title',
    lines(
      knowledge.map((item) => lineOfItem(looking, item)),
      'It was given nothing to read yet.',
    ),
    all,
  )
}

function secretsOf({ terms: { paths } }: Looking, { agent, secrets }: Overview): Html {
  return part(
    'Secrets',
    'secrets-title',
    lines(
      secrets.slice(0, serversShown).map(({ name: secret, set, last4 }) => ({
        name: html`<code>${name(secret)}</code>`,
        end: set ? (last4 === null ? 'set' : html`ends in <code>${last4}</code>`) : missing,
      })),
      'It has no secrets.',
    ),
    html`<a href="${paths.agent(agent.id, ['secrets'])}">Set one</a>`,
  )
}

const missing = html`<span class="wait">${icon('hand')}</span> is missing`

function serversOf({ agent: { brain } }: Overview): Html | undefined {
  const servers = brain?.mcps ?? []
  if (servers.length === 0) return undefined
  return part(
    'Tool servers',
    'servers-title',
    html`${lines(
      servers.slice(0, serversShown).map(({ name: server, url, enabled }) => ({
        name: name(server),
        about: url === null ? 'without an address' : name(url, 120),
        end: enabled ? undefined : 'off',
      })),
      '',
    )}
    ${leftOut(servers.length - serversShown, 'server')}`,
  )
}

function channelsOf({ channels }: Overview): Html | undefined {
  if (channels.length === 0) return undefined
  return part(
    'Channels',
    'channels-title',
    html`${lines(
      channels.slice(0, serversShown).map(({ name: channel, type, reason, last }) => ({
        name: name(channel),
        about: html`${name(type, 40)}${reason !== null && html`: ${name(reason, 200)}`}`,
        end: last === null ? undefined : sentOf(last),
      })),
      '',
    )}
    ${leftOut(channels.length - serversShown, 'channel')}`,
  )
}

/** What became of the last message of a channel. */
function sentOf({ status, error }: NonNullable<Overview['channels'][number]['last']>): Html {
  if (status === 'delivered') return html`the last message was sent`
  if (status === 'pending') return html`a message waits`
  return html`<span class="wait">${icon('hand')}</span> not sent: ${name(error ?? status, 200)}`
}

function friendsOf(looking: Looking, { agent, friends, names }: Overview): Html | undefined {
  if (friends.length === 0) return undefined
  return part(
    'Friends',
    'friends-title',
    lines(
      friends.map((friend) => lineOfFriend(looking, friend, names)),
      '',
    ),
    html`<a href="${looking.terms.paths.agent(agent.id, ['friends'])}">All friends</a>`,
  )
}

const levels: Readonly<Record<string, string>> = {
  public: 'Everyone may see it.',
  unlisted: 'All who know its address may see it.',
  private: 'Only this account sees it.',
}

function seenOf({ terms: { paths } }: Looking, { agent }: Overview): Html {
  const level = agent.visibility?.profile_visibility ?? 'private'
  const change = html`<a href="${paths.agent(agent.id, ['visibility'])}">Change it</a>`
  return part('Who sees it', 'seen-title', html`<p>${levels[level]}</p>`, change)
}
