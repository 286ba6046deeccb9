import type * as z from 'zod'
import { html, type Html } from '#src/core/html/html.ts'
import type { Run } from '#src/runs/run.ts'
import { area, problemOfAll, type Problems } from '../fields.ts'
import { bytesIn, formOf, inputIn, says, textOf } from '../input-text.ts'
import { onceField } from '../once.ts'
import { part } from '../console/parts.ts'

/** How many bytes of a form an input takes at most. */
const inputBytesAtMost = 65_536
/** With what else is in the form. */
export const formBytesAtMost = inputBytesAtMost + 4096

/** The form by which a run is done again, as it was filled in and with what was wrong with it. */
export interface AgainForm {
  input?: string | null
  form?: string | null
  problems?: Problems
}

/** What was typed into it. */
export function againIn(form: URLSearchParams): AgainForm {
  return { input: form.get('input'), form: form.get('form') }
}

/** The input to run with; nothing where it is that of the run itself. */
export function changedIn(
  { input: sent, form }: AgainForm,
  run: Pick<Run, 'input'>,
): { input?: z.core.util.JSONType } | { problem: string } {
  if (sent === null || sent === undefined || says(sent, form ?? null, run.input)) return {}
  if (bytesIn(sent) > inputBytesAtMost) return { problem: 'It is too long for this page.' }
  return inputIn(sent, form ?? null)
}

/** Runs the same task with another input. */
export function againOf(run: Pick<Run, 'input'>, { input, form, problems = {} }: AgainForm): Html {
  const text = input ?? textOf(run.input)
  const isTooLong = bytesIn(text) > inputBytesAtMost && input == null
  const how = form ?? formOf(run.input)
  return part(
    'Run it again with changes',
    'again',
    isTooLong
      ? html`<p class="soft">
          Its input is too long for a form: programs send another one with their retry.
        </p>`
      : html`<form method="post" novalidate class="card" aria-labelledby="again">
          ${problemOfAll(problems)} ${onceField()}
          <input type="hidden" name="form" value="${how}" />
          ${area({
            name: 'input',
            label: how === 'text' ? 'The input' : 'The input, as JSON',
            hint: 'What it does is a new run, under the task as it is now. This one stays as it is.',
            attributes: html`rows="8" dir="auto" spellcheck="false" autocomplete="off"`,
            value: text,
            problems,
          })}
          <div class="buttons">
            <button class="main" name="action" value="again">Run it with this input</button>
          </div>
        </form>`,
  )
}
