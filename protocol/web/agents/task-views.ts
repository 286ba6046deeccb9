import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import type { Run } from '#src/runs/run.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, facts, literal, name } from '#src/views/parts.ts'
import { daysOfTask, type Schedule } from '#src/views/task-week.ts'
import { lines, live, livePart, part } from '../console/parts.ts'
import { field } from '../fields.ts'
import type { Looking } from '../console/reader.ts'
import { howStarted, lineOfRun } from './lines.ts'
import { runForm, type RunForm } from './run-form.ts'
import { lookOfTask } from './task-state.ts'

/** What the page of a task shows. */
export interface WholeTask {
  task: Task
  schedule: Schedule
  runs: readonly Run[]
}

/** A task with its schedule and its newest runs. */
export function taskView(
  looking: Looking,
  whole: WholeTask,
  { done, ...form }: RunForm & { done?: string | undefined } = {},
): Html {
  const { paths } = looking.terms
  const { task } = whole
  const here = paths.agent(task.char_id, ['tasks', task.task_id])
  return live(
    paths.events,
    here,
    html`${doneOf(done)} ${livePart('stands', standOf(task))}
      <div class="panes">
        <div>
          ${promptOf(looking, task)} ${part('Try it', 'try', runForm(task, form))}
          ${livePart('runs', runsOf(looking, whole))}
        </div>
        <div>${settingsOf(looking, task)} ${switchesOf(whole, form.typed)}</div>
      </div>
      ${livePart('week', scheduleOf(looking, whole))}`,
  )
}

function standOf(task: Task): Html {
  const { description, enabled, reliability } = task
  const reason = enabled ? null : (reliability?.pause_reason ?? null)
  return html`<header class="head">
      <h2>${name(task.name)}</h2>
      ${badge(lookOfTask(task))}
    </header>
    ${reason !== null && html`<p class="outside" dir="auto">${withHiddenShown(reason.slice(0, 600))}</p>`}
    ${description !== null && html`<p class="lead" dir="auto">${withHiddenShown(description.slice(0, 600))}</p>`}`
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['pause', 'It is paused: no trigger starts it until it is resumed.'],
  ['resume', 'It goes on.'],
  ['skip', 'The next fire is skipped.'],
  ['saved', 'The change is saved.'],
])

function doneOf(done: string | undefined): Html | undefined {
  const words = done === undefined ? undefined : doneWords.get(done)
  return words === undefined ? undefined : html`<p class="done" role="status">${words}</p>`
}

function switchesOf({ task, schedule }: WholeTask, typed: URLSearchParams | undefined): Html {
  const comes = schedule.next.some((fire) => fire.comes)
  const held = html`<label class="check"
    ><input type="checkbox" name="held" value="drop" /> Drop what waited for it</label
  >`
  return part(
    'Stop it and let it go on',
    'switch-title',
    html`<form method="post" class="card">
      ${
        task.enabled
          ? field({
              name: 'reason',
              label: 'Why (may be left empty)',
              attributes: html`maxlength="500" dir="auto" autocomplete="off"`,
              value: typed?.get('reason') ?? '',
              problems: {},
            })
          : held
      }
      <div class="buttons">
        ${
          task.enabled
            ? html`<button name="action" value="pause">Pause it</button>`
            : html`<button class="main" name="action" value="resume">Let it go on</button>`
        }
        ${comes && html`<button name="action" value="skip">Skip the next fire</button>`}
      </div>
    </form>`,
  )
}

function promptOf({ terms: { paths } }: Looking, { char_id, task_id, prompt }: Task): Html {
  return part(
    'What it is asked',
    'prompt-title',
    prompt === '' ? html`<p class="soft">It has no prompt.</p>` : literal(prompt, 'The prompt'),
    html`<a href="${paths.agent(char_id, ['tasks', task_id, 'edit'])}"
      >Edit it, or its schedule</a
    >`,
  )
}

function runsOf(looking: Looking, { task, runs }: WholeTask): Html {
  const { char_id, task_id } = task
  const all = html`<a href="${looking.terms.paths.runs({ char_id, task_id })}">All its runs</a>`
  return part(
    'Newest runs',
    'runs-title',
    lines(
      runs.map((run) => lineOfRun(looking, run)),
      'It has not run yet.',
    ),
    runs.length > 0 && all,
  )
}

function settingsOf({ at }: Looking, task: Task): Html {
  const { runtime, model_override, approval_gate, selected_secrets, tools, tags } = task
  const gate = approval_gate?.requires_approval
    ? `asked for before each run${approval_gate.require_person ? ', of a person' : ''}`
    : undefined
  const listed = (names: readonly string[]) =>
    names.length === 0 ? undefined : name(names.slice(0, 12).join(', '), 300)
  return part(
    'How it works',
    'settings-title',
    html`<div class="card">
      ${facts([
        ['Started by', howStarted(task).replace('started by ', '')],
        ['Carried out by', runtime === null ? 'a model or an agent' : name(runtime)],
        ['Model', model_override === null ? undefined : name(model_override)],
        ['Approval', gate],
        ['Tools', listed(tools.map((tool) => tool.name))],
        ['Secrets', listed(selected_secrets)],
        ['Tags', listed(tags)],
        ['Revision', task.revision],
        ['Changed', timeOf(task.updated_at, at)],
        ['Id', html`<code>${name(task.task_id, 128)}</code>`],
      ])}
    </div>`,
  )
}

function scheduleOf({ at, terms }: Looking, { schedule }: WholeTask): Html | undefined {
  const { state, message } = schedule
  if (state === 'no_schedule') return undefined
  const link = (path: string) => terms.paths.address(path)
  return part(
    'Its week',
    'week-title',
    html`${state !== 'scheduled' && html`<p dir="auto">${withHiddenShown(message.slice(0, 600))}</p>`}
    ${daysOfTask(schedule, { ...at, input: {}, link })}`,
  )
}
