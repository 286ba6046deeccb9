import type { Refusal } from '#src/core/errors.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'

/** What is wrong with a form: by the name of a field, or by `` for the whole form. */
export type Problems = Readonly<Record<string, string>>

interface Field {
  name: string
  label: string
  /** Further attributes of the input. */
  attributes: Html
  value?: string | undefined
  hint?: string | undefined
  problems: Problems
}

/** A field with its label, and its problem next to it; the first field with a problem has the focus. */
export function field({ name, label, attributes, value, hint, problems }: Field): Html {
  const state = stateOf(name, hint, problems)
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hintOf(name, hint)}${problemOf(name, problems)}
    <input id="${name}" name="${name}" value="${value}" ${attributes} ${state} />
  </div>`
}

/** The same for a text of several lines. */
export function area({ name, label, attributes, value, hint, problems }: Field): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hintOf(name, hint)}${problemOf(name, problems)}
    <textarea id="${name}" name="${name}" ${attributes} ${stateOf(name, hint, problems)}>
${value}</textarea>
  </div>`
}

/** The same around a list of options. */
export function choice({
  options,
  attributes,
  ...rest
}: Omit<Field, 'attributes' | 'value'> & { options: Part; attributes?: Html }): Html {
  const { name, label, hint, problems } = rest
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hintOf(name, hint)}${problemOf(name, problems)}
    <select id="${name}" name="${name}" ${attributes} ${stateOf(name, hint, problems)}>
      ${options}
    </select>
  </div>`
}

/** A box to tick, which sends `true`. */
export function tick({
  isTicked,
  ...rest
}: Pick<Field, 'name' | 'label' | 'hint' | 'problems'> & { isTicked: boolean }): Html {
  const { name, label, hint, problems } = rest
  return html`<div class="field">
    ${hintOf(name, hint)}${problemOf(name, problems)}
    <label class="check" for="${name}">
      <input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="true"
        ${isTicked && html`checked`}
        ${stateOf(name, hint, problems)}
      />
      ${label}
    </label>
  </div>`
}

/**
 * A secret on the only page that shows it.
 * @param act what the person has to do now
 */
export function shownOnce(of: {
  id: string
  label: string
  act: string
  text: string
  rows?: number
}): Html {
  const { id, label, act, text, rows = 2 } = of
  return html`<div class="card field">
    <label for="${id}">${label}</label>
    <p class="wrong" id="${id}-hint" role="status">${act}: it is not shown again.</p>
    <textarea
      id="${id}"
      class="key"
      rows="${rows}"
      readonly
      autofocus
      spellcheck="false"
      autocomplete="off"
      aria-describedby="${id}-hint"
    >
${text}</textarea>
  </div>`
}

/** The number of a version that a form or an address names. */
export function numberIn(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** What is wrong with the whole form. */
export function problemOfAll(problems: Problems): Html | undefined {
  const text = problems['']
  if (text === undefined) return undefined
  return html`<p class="problem" role="alert">${text}</p>`
}

function hintOf(name: string, hint: string | undefined): Html | undefined {
  return hint === undefined ? undefined : html`<p class="soft" id="${name}-hint">${hint}</p>`
}

function problemOf(name: string, problems: Problems): Html | undefined {
  const text = problems[name]
  if (text === undefined) return undefined
  return html`<p class="wrong" id="${name}-problem" role="alert">${text}</p>`
}

function stateOf(name: string, hint: string | undefined, problems: Problems): Html {
  const isWrong = problems[name] !== undefined
  const isFirst = Object.keys(problems).find((one) => one !== '') === name
  const described = [hint !== undefined && `${name}-hint`, isWrong && `${name}-problem`]
  const ids = described.filter((id) => id !== false).join(' ')
  return html`${ids !== '' && html`aria-describedby="${ids}"`}
  ${isWrong && html`aria-invalid="true"`} ${isFirst && html`autofocus`}`
}

/**
 * What a refusal says about the fields of a form.
 * @param words the message for a field instead, by its name
 */
export function problemsOf(refusal: Refusal, words: Problems): Problems {
  const problems: Record<string, string> = {}
  for (const { pointer, message, code } of refusal.errors ?? []) {
    const [, ...steps] = pointer.split('/')
    // A form may spread out what is one member.
    const name = steps.findLast((step) => words[step] !== undefined) ?? steps[0] ?? ''
    // Messages of custom rules are written for people; for wrong forms and lengths, the page has its
    // own.
    problems[name] ??= code === 'custom' ? message : (words[name] ?? message)
  }
  if (Object.keys(problems).length > 0) return problems
  return { '': sayingOf(refusal) }
}

/** Of a form that is sent again with something else in it. */
const sentBefore =
  'This form was sent before with something else in it. Look at what became of that; to do this too, send it again.'

/** The message of a refusal, for people. */
export function sayingOf({ code, message, hint, retryAfterSeconds }: Refusal): string {
  if (code === 'account_suspended') return `${message} ${hint ?? ''}`
  if (code === 'idempotency_conflict') return sentBefore
  if (code !== 'rate_limited') return message
  return `That was too often. Wait ${waitingTime(retryAfterSeconds ?? 60)}, and try again.`
}

/** How long the page of a refusal asks to wait. */
export function waitOf({ retryAfterSeconds }: Refusal): Pick<View, 'retryAfterSeconds'> {
  return { retryAfterSeconds }
}

function waitingTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
