import { needOperations } from '#src/catalog/need-pages.ts'
import { runOperations } from '#src/catalog/run-pages.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { MissingSecret, OwnerNotice } from '#src/accounts/notice.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { timeOf } from '#src/views/moments.ts'
import { act, agentName, badge, leftOut, name, outside, type Look } from '#src/views/parts.ts'
import { taskName } from '#src/views/run-parts.ts'
import { reasonWords } from '#src/views/run-words.ts'
import type { Showing, ViewCall } from '#src/views/view.ts'
import type { Paths } from '../paths.ts'

type Kind = OwnerNotice['type']

/** What notices tell of, by their ids. */
export type Causes = ReadonlyMap<
  string,
  { connection_id: string | undefined; missing: readonly MissingSecret[] }
>

/** The kinds that have a cause of their own. */
export const causedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'secret.missing',
  'connection.needs_consent',
])

/** With what a notice is shown. */
export interface Told {
  paths: Paths
  at: Showing
  causes: Causes
}

const looks: Readonly<Partial<Record<Kind, Look>>> = {
  'run.failed': { word: 'Failed', tone: 'bad', icon: 'cross' },
  'work.skipped': { word: 'Not started', tone: 'wait', icon: 'skip' },
  'handoff.dropped': { word: 'Not handed on', tone: 'wait', icon: 'warning' },
  'secret.missing': { word: 'Secret missing', tone: 'bad', icon: 'cross' },
  'webhook.disabled': { word: 'Webhook off', tone: 'bad', icon: 'slash' },
  'delivery.failed': { word: 'Not delivered', tone: 'bad', icon: 'cross' },
  'budget.warned': { word: 'Budget nearly used up', tone: 'wait', icon: 'warning' },
  'budget.used_up': { word: 'Budget used up', tone: 'bad', icon: 'hand' },
  'connection.needs_consent': { word: 'Wants your consent', tone: 'wait', icon: 'hand' },
}

/** Notices, each with what to do about it. */
export function noticeList(notices: readonly OwnerNotice[], told: Told): Html {
  return html`<ul class="lines">
    ${notices.map(
      (one) =>
        html`<li class="line-of" id="${one.id}">
          <div class="about">${wordsOf(one, told)}</div>
          <div class="buttons">${waysOf(one, told)} ${asideOf(one, told)}</div>
        </li>`,
    )}
  </ul>`
}

function wordsOf(notice: OwnerNotice, { at, causes }: Told): Html {
  const { id, type, count: many, updated_at } = notice
  const look = looks[type] ?? { word: type, tone: 'wait', icon: 'warning' }
  const when = html`${many > 1 && `${count(many, 'time')}, last `}${timeOf(updated_at, at)}`
  const missing = causes.get(id)?.missing ?? []
  return html`<p>${badge(look)} ${titleOf(notice, at)}</p>
    ${missing.length > 0 ? missingOf(missing, at) : saidOf(notice)}
    <p class="soft">${when}</p>`
}

/** Whose it is, where it is of one. */
function titleOf({ char_id, task_id }: OwnerNotice, at: Showing): Html | undefined {
  if (char_id === null) return undefined
  const agent = agentName(char_id, null, at)
  return html`<strong
    >${agent}${task_id !== null && html` · ${taskName({ char_id, task_id }, at)}`}</strong
  >`
}

const messageAtMost = 800

/** The reason in plain words where it has some, else the message of the notice. */
function saidOf(notice: OwnerNotice): Html {
  const { type, reason, message } = notice
  const ofRun = type === 'run.failed' || type === 'work.skipped'
  if (ofRun && reason !== null) {
    const words = failureWords(reason)
    return words ? html`<p>${words.says} ${words.cure}</p>` : html`<p>${reasonWords(reason)}</p>`
  }
  return html`<p dir="auto">${withHiddenShown(message.slice(0, messageAtMost))}</p>
    ${outside(notice)}`
}

const secretsShown = 8

function missingOf(missing: readonly MissingSecret[], at: Showing): Html {
  return html`<p>
      ${missing
        .slice(0, secretsShown)
        .map(
          ({ char_id, name: secret }, i) =>
            html`${i > 0 && ', '}<code>${name(secret)}</code> of ${agentName(char_id, null, at)}`,
        )}
    </p>
    ${leftOut(missing.length - secretsShown, 'secret')}`
}

/** What to do about it: what can be done here by a form, and the pages of the rest. */
function waysOf(notice: OwnerNotice, told: Told): Part {
  const { id, type, next, char_id, task_id, count: many } = notice
  const { paths, at, causes } = told
  const consent = causes.get(id)?.connection_id
  if (consent !== undefined) {
    return html`<a class="button main" href="${paths.connect(consent)}">Look at it and consent</a>`
  }
  const isMany = type === 'run.failed' && many > 1 && char_id !== null && task_id !== null
  const all = isMany && paths.runs({ char_id, task_id, status: 'failed', retry: 'all' })
  return [
    ...ways(next, aboutOf(notice), at),
    all !== false && html`<a class="button quiet" href="${all}">Retry all…</a>`,
  ]
}

/** What its buttons are about, for those who hear one without what stands next to it. */
function aboutOf({ type, char_id, task_id }: OwnerNotice): string {
  return [looks[type]?.word ?? type, char_id, task_id].filter((one) => one !== null).join(', ')
}

/** For what nothing will be done about. */
function asideOf(notice: OwnerNotice, { at }: Told): Html {
  const call = { operation: needOperations.dismiss.name, input: { notice_id: notice.id } }
  const buttons = [{ label: 'Dismiss' }]
  return act({ ...call, buttons, shows: 'again', about: aboutOf(notice) }, at)
}

const waysAtMost = 6

function ways(next: readonly ViewCall[], about: string, at: Showing): Html[] {
  const linked = new Set<string>()
  return next.slice(0, waysAtMost).flatMap((call): Html[] => {
    const label = labels.get(call.operation)
    if (label === undefined) return []
    const address = at.page?.(call)
    if (address === undefined) {
      return [act({ ...call, buttons: [{ label }], shows: 'again', about }, at)]
    }
    if (linked.has(address)) return []
    linked.add(address)
    const { char_id: agent } = call.input
    const whose = typeof agent === 'string' && html` ${agentName(agent, null, at)}`
    return [html`<a class="button quiet" href="${address}">${label}${whose}</a>`]
  })
}

const { agents, teams } = needOperations

/** What is offered of what a notice says to call. */
const labels: ReadonlyMap<string, string> = new Map([
  [needOperations.retry.name, 'Retry'],
  [needOperations.redeliver.name, 'Send it again'],
  [runOperations.get.name, 'Look at it'],
  [runOperations.events.name, 'Look at it'],
  [agents.get.name, 'Go to'],
  [agents.setSecrets.name, 'Set it at'],
  [teams.get.name, 'The team'],
  [teams.update.name, 'The team'],
])
