import type * as z from 'zod'

/** How an input is written in a form. */
export type InputForm = 'text' | 'json'

/** As which it is written: a text as it is, anything else as JSON. */
export function formOf(input: unknown): InputForm {
  return typeof input === 'string' ? 'text' : 'json'
}

/** An input as it is written in a form. */
export function textOf(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? null, null, 2)
}

/** Whether a form says exactly this input. Browsers send every end of a line as two characters. */
export function says(sent: string, form: string | null, input: unknown): boolean {
  return form === formOf(input) && withPlainLines(sent) === withPlainLines(textOf(input))
}

/** The input that a form says. */
export function inputIn(
  sent: string,
  form: string | null,
): { input: z.core.util.JSONType } | { problem: string } {
  const text = withPlainLines(sent)
  if (form === 'text') return { input: text }
  try {
    return { input: JSON.parse(text) as z.core.util.JSONType }
  } catch {
    return { problem: 'This is not JSON.' }
  }
}

/** The bytes that a browser sends of a text in a form. */
export function bytesIn(text: string): number {
  const lines = withPlainLines(text).replaceAll('\n', '\r\n')
  return String(new URLSearchParams([['', lines]])).length
}

function withPlainLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
