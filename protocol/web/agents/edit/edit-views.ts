import { html, type Html, type Part } from '#src/core/html/html.ts'
import { diffOf } from '#protocol/web/console/diff.ts'
import { part } from '#protocol/web/console/parts.ts'
import type { Terms } from '#protocol/web/ask.ts'
import { area, choice, field, problemOfAll, type Problems } from '#protocol/web/fields.ts'
import { markOf, type EditField, type Standing, type Typed } from './form.ts'

interface Form {
  here: string
  standing: Standing
  typed?: Typed | undefined
  problems: Problems
  /** A change has just been saved. */
  isSaved?: boolean
}

/** The form with what is edited, or with what a person has typed. */
export function editView({ here, standing, typed, problems, isSaved }: Form): Html {
  return html`${isSaved && html`<p class="done" role="status">The change is saved.</p>`}
    <form method="post" action="${here}" class="card" novalidate>
      ${problemOfAll(problems)}
      ${standing.fields.map((one) => {
        const mark = typed?.was.get(one.name) ?? markOf(one.value)
        return html`<input type="hidden" name="was.${one.name}" value="${mark}" />
          ${fieldOf(one, typed?.values.get(one.name) ?? one.value, problems)}`
      })}
      <button class="main" name="action" value="look">Look at the change</button>
    </form>`
}

function fieldOf(one: EditField, value: string, problems: Problems): Html {
  const { name, label, hint, kind } = one
  const about = { name, label, hint, problems }
  if (kind === 'line') {
    return field({ ...about, value, attributes: html`dir="auto" autocomplete="off"` })
  }
  if (kind === 'text') {
    const rows = Math.min(24, Math.max(3, value.split('\n').length + 1))
    return area({ ...about, value, attributes: html`rows="${rows}" dir="auto" autocomplete="off"` })
  }
  const isOther = kind.every(([known]) => known !== value)
  const options = isOther ? [...kind, [value, value] as const] : kind
  return choice({
    ...about,
    options: options.map(
      ([known, words]) =>
        html`<option value="${known}" ${known === value && html`selected`}>${words}</option>`,
    ),
  })
}

interface Change extends Omit<Form, 'problems'> {
  typed: Typed
  touched: readonly EditField[]
  note?: Part
  /** Another changed it while the person did. */
  isLate: boolean
}

/** Says where what an agent was before is found. */
export function keptNote({ paths }: Terms, id: string): Html {
  return html`What it was before stays among its
    <a href="${paths.agent(id, ['revisions'])}">earlier versions</a>, from where it can be brought
    back.`
}

/** What saving would change, before it is saved. */
export function changeView({ here, standing, typed, touched, note, isLate }: Change): Html {
  const hidden = [...typed.values].filter(([name]) => name !== 'action' && name !== 'revision')
  return html`${
      isLate &&
      html`<p class="problem" role="alert">
        It was changed meanwhile, by another or in another tab, so nothing was saved. Here is what
        your change does to it as it is now.
      </p>`
    }
    ${part(
      'This will change',
      'change',
      touched.map(
        ({ name, label, value, kind }) =>
          html`<h3>${label}</h3>
            ${diffOf(shownAs(value, kind), shownAs(typed.values.get(name) ?? '', kind))}`,
      ),
    )}
    <form method="post" action="${here}">
      ${hidden.map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}" />`)}
      ${[...typed.was].map(
        ([name, mark]) => html`<input type="hidden" name="was.${name}" value="${mark}" />`,
      )}
      <input type="hidden" name="revision" value="${standing.revision}" />
      ${note !== undefined && html`<p class="soft">${note}</p>`}
      <div class="buttons">
        <button class="main" name="action" value="save">Save it</button>
        <button name="action" value="edit">Change it again</button>
      </div>
    </form>`
}

function shownAs(value: string, kind: EditField['kind']): string {
  if (typeof kind === 'string') return value
  return kind.find(([known]) => known === value)?.[1] ?? value
}
