import { needOperations } from '#src/catalog/need-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import { timeOf } from '#src/views/moments.ts'
import { act, agentName, badge, name } from '#src/views/parts.ts'
import { taskName } from '#src/views/run-parts.ts'
import { looks } from '#src/views/run-words.ts'
import type { Showing } from '#src/views/view.ts'
import type { AnswerOf } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { empty, lines, live, livePart, nextPage, part } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Looking } from '../console/reader.ts'
import { showingOf } from '../console/view-frame.ts'
import { problemOfAll } from '../fields.ts'
import { noticeList, type Causes } from './notice-views.ts'

type Paused = AnswerOf<typeof needOperations.overview>['needs']['paused_tasks']

/** What waits for the person. */
export interface Waiting {
  approvals: readonly Approval[]
  moreApprovals: string | null
  paused: Paused
  notices: readonly OwnerNotice[]
  moreNotices: string | null
  causes: Causes
  names: Names
}

/** The page of what waits. */
export function needsView(
  looking: Looking,
  waiting: Waiting,
  { isDone = false, problem }: { isDone?: boolean; problem?: string } = {},
): ConsoleView {
  const { paths } = looking.terms
  const at = showingOf(looking, { names: waiting.names })
  const [missing, broken] = sorted(waiting.notices)
  const told = { paths, at, causes: waiting.causes }
  const parts = [
    waiting.approvals.length > 0 && decisionsOf(looking, waiting, at),
    missing.length > 0 && part('Missing', 'missing', noticeList(missing, told)),
    waiting.paused.first.length > 0 && pausedOf(waiting, at),
    broken.length > 0 && part('Went wrong', 'broken', noticeList(broken, told)),
  ].filter((one) => one !== false)
  const older = waiting.moreNotices
  const body = html`${parts.length === 0 ? empty('Nothing waits for you.') : parts}
  ${nextPage(older === null ? undefined : `${paths.needs}?${new URLSearchParams({ notices: older }).toString()}`)}`
  const main = html`${isDone && html`<p class="card" role="status">It is done.</p>`}
  ${problem !== undefined && problemOfAll({ '': problem })}
  ${live(paths.events, paths.needs, livePart('needs', body))}`
  return { title: 'Needs you', main, place: 'needs' }
}

type Kind = OwnerNotice['type']

/** What is told elsewhere on the page: approvals among those to decide, what waits with its paused task. */
const elsewhere: ReadonlySet<Kind> = new Set<Kind>([
  'approval.requested',
  'task.paused',
  'work.held',
])
const missingKinds: ReadonlySet<Kind> = new Set<Kind>([
  'secret.missing',
  'connection.needs_consent',
])

function sorted(notices: readonly OwnerNotice[]): [missing: OwnerNotice[], broken: OwnerNotice[]] {
  const shown = notices.filter(({ type }) => !elsewhere.has(type))
  const isMissing = ({ type }: OwnerNotice): boolean => missingKinds.has(type)
  return [shown.filter(isMissing), shown.filter((one) => !isMissing(one))]
}

const promptAtMost = 200

function decisionsOf(looking: Looking, waiting: Waiting, at: Showing): Html {
  const { paths } = looking.terms
  const { approvals, moreApprovals: more } = waiting
  const older =
    more === null
      ? undefined
      : `${paths.needs}?${new URLSearchParams({ approvals: more }).toString()}`
  return part(
    'To decide',
    'decide',
    html`${lines(
      approvals.map(({ id, prompt, char_id, task_id, created_at, expires_at }) => ({
        href: paths.approval(id),
        name: html`<span dir="auto">${withHiddenShown(shortened(prompt))}</span>`,
        about: html`${agentName(char_id, null, at)} · ${taskName({ char_id, task_id }, at)}, asked
        ${timeOf(created_at, at)}${expires_at !== null && html`, until ${timeOf(expires_at, at)}`}`,
        end: badge(looks.waiting_approval),
      })),
      '',
    )}
    ${nextPage(older, 'Older questions')}`,
  )
}

function shortened(text: string): string {
  return text.length > promptAtMost ? `${text.slice(0, promptAtMost).toWellFormed()}…` : text
}

function pausedOf({ paused, notices }: Waiting, at: Showing): Html {
  const held = new Map(
    notices
      .filter(({ type }) => type === 'work.held')
      .map((one) => [taskKey(one.char_id ?? '', one.task_id ?? ''), one.count]),
  )
  const left = paused.count - paused.first.length
  return part(
    'Paused',
    'paused',
    html`<ul class="lines">
        ${paused.first.map((task) => {
          const waits = held.get(taskKey(task.char_id, task.task_id)) ?? 0
          return html`<li class="line-of">
            <div class="about">
              <strong>${agentName(task.char_id, null, at)} · ${name(task.name)}</strong><br /><span
                class="soft"
                >${name(task.pause_reason, 300)}${waits > 0 && ` ${count(waits, 'run')} or more wait for it.`}</span
              >
            </div>
            ${resumeOf(task, waits > 0, at)}
          </li>`
        })}
      </ul>
      ${left > 0 && html`<p class="soft">${count(left, 'more task')}${paused.more && ' or more'} are paused.</p>`}`,
  )
}

function resumeOf(
  { char_id, task_id, name: called }: Paused['first'][number],
  hasHeld: boolean,
  at: Showing,
): Html {
  return act(
    {
      operation: needOperations.resume.name,
      input: { char_id, task_id },
      buttons: hasHeld
        ? [
            { label: 'Resume, and run what waits', kind: 'main', sends: ['held', 'run'] },
            { label: 'Resume, and drop it', sends: ['held', 'drop'] },
          ]
        : [{ label: 'Resume' }],
      shows: 'again',
      about: `Resume ${withHiddenShown(called.slice(0, 80))}`,
    },
    at,
  )
}
