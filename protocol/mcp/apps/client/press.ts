import type { ViewCall } from '#src/views/view.ts'

/** What a pressed button asks for. */
export interface Sent {
  call: ViewCall
  shows: string
  button: HTMLButtonElement
}

/**
 * The call of a button's form. A frame without the right to send forms never hears of a submit, so presses are
 * heard instead; the return key in a field presses the first button.
 */
export function sentBy(target: Element | undefined): Sent | undefined {
  const button = target?.closest('button')
  const form = button?.form
  if (!button || !form?.classList.contains('act')) return undefined
  const { operation, input, ...fields } = Object.fromEntries(new FormData(form, button))
  if (typeof operation !== 'string') return undefined
  const typed = Object.entries(fields).filter(([name, value]) => name !== '' && value !== '')
  const call = { operation, input: { ...inputOf(input), ...Object.fromEntries(typed) } }
  return { call, shows: form.dataset['shows'] ?? '', button }
}

/** The form was written by a view, so its input is an object. */
function inputOf(text: FormDataEntryValue | undefined): object {
  return typeof text === 'string' ? (JSON.parse(text) as object) : {}
}
