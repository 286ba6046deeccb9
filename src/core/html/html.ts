/** Markup: what is in it was written by us, or escaped. */
export class Html {
  readonly text: string

  /** @param text markup of ours; `html` is how it is made */
  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in markup: null and false leave nothing, lists stand one after the other. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

/**
 * Markup from a template. Whatever is put in is escaped, for text and for attributes in quotes, unless
 * it is markup itself.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) text += textOf(part) + (strings[index + 1] ?? '')
  return new Html(text)
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escaped(part)
  return typeof part === 'number' ? String(part) : part.map(textOf).join('')
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')
}
