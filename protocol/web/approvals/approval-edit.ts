import type * as z from 'zod'
import { html, type Html } from '#src/core/html/html.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import { area, type Problems } from '../fields.ts'
import { bytesIn, formOf, inputIn, says, textOf } from '../input-text.ts'

/** How many bytes of a form a changed input takes at most: with the note it fits into what a page is sent. */
export const editBytesAtMost = 36_864

type Shown = Pick<Approval, 'id' | 'allow_edit' | 'input' | 'edited_input'>

/** What a form has of a changed input; null where it has none. */
export interface EditForm {
  input: string | null
  /** `text` or `json`: how the field was filled in when the page was made. */
  form: string | null
}

/** What a form changes. */
export type FormEdit = { edited_input?: z.core.util.JSONType } | { problem: string }

/** The field in which a person changes the input, where the gate allows it and it is not too long. */
export function editField(shown: Shown, sent: EditForm, problems: Problems): Html | undefined {
  if (shown.allow_edit !== true) return undefined
  const text = sent.input ?? textOf(standing(shown))
  if (sent.input === null && bytesIn(text) > editBytesAtMost) {
    return html`<p class="soft">
      The input may be changed, and is too long for that here: programs do it with the member
      <code>edited_input</code> of the decision.
    </p>`
  }
  const form = sent.form ?? formOf(standing(shown))
  return html`<input type="hidden" name="form" value="${form}" /> ${area({
      name: 'input',
      label: 'The input to go on with',
      hint:
        form === 'text'
          ? 'Change it here if it is to go on with another text.'
          : 'Change it here, as JSON, if it is to go on with something else.',
      attributes: html`rows="8" dir="auto" spellcheck="false" autocomplete="off"`,
      value: text,
      problems,
    })}`
}

/** The input that a form approves; nothing where it is as it was asked. */
export function editIn({ input: sent, form }: EditForm, shown: Shown): FormEdit {
  if (sent === null || shown.allow_edit !== true) return {}
  if (bytesIn(sent) > editBytesAtMost) {
    return { problem: 'It is too long for this page.' }
  }
  for (const known of [shown.input, standing(shown)]) {
    // An approval as its operation answers it.
    if (says(sent, form, known)) return { edited_input: known as z.core.util.JSONType }
  }
  const read = inputIn(sent, form)
  return 'problem' in read ? read : { edited_input: read.input }
}

/** The change that stands, or what was asked. */
function standing({ input, edited_input }: Shown): unknown {
  return edited_input === undefined ? input : edited_input
}
