/** Markup: either written in the source or escaped. */
export class Html {
  readonly text: string

  /** @param text trusted markup; use `html` to make it */
  constructor(text: string) {
    this.text = text
  }
}

/** What may be put into markup: null and false give nothing, lists are joined. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/**
 * Markup from a template. Every value is escaped, for text and for quoted attributes, unless it is markup
 * itself.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  for (let i = 0; i < parts.length; i += 1) text += textOf(parts[i]) + (strings[i + 1] ?? '')
  return new Html(text)
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  let text = ''
  for (const one of part) text += textOf(one)
  return text
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const special = /[&<>"']/

function escaped(text: string): string {
  // Most texts are addresses and names that hold none of them.
  if (!special.test(text)) return text
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')
}
