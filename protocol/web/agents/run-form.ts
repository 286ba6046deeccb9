import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import { area, choice, field, problemOfAll, tick, type Problems } from '../fields.ts'
import { onceField } from '../once.ts'
import { fieldsOf, type RunField } from './run-fields.ts'

/** What was typed into the form, and what was wrong with it. */
export interface RunForm {
  typed?: URLSearchParams | undefined
  problems?: Problems
}

/** The form by which a person runs a task: a field for each thing that it asks for, or the input as a whole. */
export function runForm(task: Task, { typed, problems = {} }: RunForm): Html {
  const fields = fieldsOf(task)
  const whole = wholeField(typed, problems)
  const isOpen = (typed?.get('input') ?? '') !== '' || problems['input'] !== undefined
  return html`<form method="post" class="card" novalidate>
    ${problemOfAll(problems)} ${onceField()} ${fields.map((one) => runField(one, typed, problems))}
    ${
      fields.length === 0
        ? whole
        : html`<details ${isOpen && html`open`}>
            <summary>Give it the whole input instead</summary>
            ${whole}
          </details>`
    }
    <button class="main" name="action" value="run">Run it now</button>
  </form>`
}

function wholeField(typed: URLSearchParams | undefined, problems: Problems): Html {
  const as = typed?.get('as') ?? 'text'
  return html`${area({
    name: 'input',
    label: 'Input',
    attributes: html`rows="4" dir="auto" autocomplete="off"`,
    value: typed?.get('input') ?? '',
    problems,
  })}
  ${choice({
    name: 'as',
    label: 'It is',
    options: ['text', 'json'].map(
      (one) =>
        html`<option value="${one}" ${one === as && html`selected`}>
          ${one === 'json' ? 'JSON' : 'a text'}
        </option>`,
    ),
    problems,
  })}`
}

const inputs: ReadonlyMap<string, Html> = new Map([
  ['email', html`type="email"`],
  ['url', html`type="url"`],
  ['date', html`type="date"`],
  ['number', html`inputmode="decimal"`],
  ['integer', html`inputmode="numeric"`],
])

/** One field of a form, with what was typed and what is wrong with it. */
export function runField(
  one: RunField,
  typed: URLSearchParams | undefined,
  problems: Problems,
): Html {
  const { name, type, options, placeholder, required } = one
  const isBox = type === 'checkbox' || type === 'boolean'
  const label = `${shownOf(one.label)}${required || isBox ? '' : ' (may be left empty)'}`
  const value = typed?.get(name) ?? one.initial
  const about = { name, label, problems }
  const example = placeholder === null ? undefined : shownOf(placeholder)
  const hint = example === undefined ? undefined : html`placeholder="${example}"`
  if (isBox) {
    return tick({ ...about, isTicked: typed?.get(name) === 'true' })
  }
  if (options.length > 0) {
    const chosen = typed?.getAll(name) ?? [one.initial]
    return choice({
      ...about,
      ...(type === 'multiselect' && { attributes: html`multiple` }),
      options: optionsOf(one, chosen),
    })
  }
  return type === 'textarea'
    ? area({ ...about, value, attributes: html`rows="4" dir="auto" autocomplete="off" ${hint}` })
    : field({
        ...about,
        value,
        attributes: html`${inputs.get(type)} dir="auto" autocomplete="off" ${hint}`,
      })
}

const optionsShown = 200
const charactersShown = 200

/** What the maker of the form wrote, where only plain text can stand. */
function shownOf(text: string): string {
  return withHiddenShown(text.slice(0, charactersShown).toWellFormed())
}

function optionsOf({ type, options }: RunField, chosen: readonly string[]): Html {
  const empty = type !== 'multiselect' && html`<option value=""></option>`
  return html`${empty}${options
    .slice(0, optionsShown)
    .map(
      (option) =>
        html`<option value="${option}" ${chosen.includes(option) && html`selected`}>
          ${shownOf(option)}
        </option>`,
    )}`
}
