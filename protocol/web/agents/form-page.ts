import { html, type Html, type Part } from '#src/core/html/html.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Leave } from '#src/core/html/view.ts'
import { isSignedOut } from '../ask.ts'
import { sayingOf, waitOf, type Problems } from '../fields.ts'
import type { ConsoleView } from '../console/frame.ts'

/** What was typed into a form, and what was wrong with it. */
export interface FormState {
  typed?: URLSearchParams | undefined
  problems?: Problems
}

/** Asks before something is done that is not undone. */
export function surely(
  question: Part,
  button: Part,
  hidden: readonly [string, string],
  back: string,
): Html {
  const [name, value] = hidden
  return html`<form method="post" class="card" action="${back}">
    <p>${question}</p>
    <input type="hidden" name="${name}" value="${value}" />
    <div class="buttons">${button}<a class="button" href="${back}">Leave it as it is</a></div>
  </form>`
}

/**
 * The page again after a refusal, with what was typed and what is wrong with it.
 * @param names the fields by the beginnings of the pointers by which a refusal names them
 * @throws the refusal, where no form could mend it
 */
export async function again(
  refusal: Refusal,
  typed: URLSearchParams,
  names: Readonly<Record<string, string>>,
  show: (form: FormState) => Promise<ConsoleView>,
): Promise<ConsoleView | Leave> {
  if (isSignedOut(refusal) || refusal.status === 404) throw refusal
  const problems: Record<string, string> = {}
  for (const { pointer, message } of refusal.errors ?? []) {
    const [, name = ''] = Object.entries(names).find(([start]) => pointer.startsWith(start)) ?? []
    problems[name] ??= message
  }
  const all = Object.keys(problems).length > 0 ? problems : { '': sayingOf(refusal) }
  const view = await show({ typed, problems: all })
  return { ...view, status: refusal.status, ...waitOf(refusal) }
}
