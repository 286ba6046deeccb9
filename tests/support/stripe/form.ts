/** What a form or a query says, as Stripe reads it: brackets nest, and everything is text. */
export type Form = { [name: string]: Form | string }

/** Reads `a[b][0]=c`, and gives with it every name that a value was given for, indexes left out. */
export function readForm(text: string): { form: Form; names: string[] } {
  const form: Form = {}
  const names = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [name.split('[')[0] ?? '', ...[...name.matchAll(/\[([^\]]*)\]/g)].map(partOf)]
    names.add(path.filter((part) => !/^\d*$/.test(part)).join('.'))
    put(form, path, value)
  }
  return { form, names: [...names] }
}

function partOf(match: RegExpMatchArray): string {
  return match[1] ?? ''
}

function put(form: Form, [part = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    form[part] = value
    return
  }
  const held = form[part]
  const inner = typeof held === 'object' ? held : {}
  form[part] = inner
  put(inner, rest, value)
}

/** The text at a path; undefined where there is none. */
export function textAt(form: Form, ...path: string[]): string | undefined {
  const found = formAt(form, ...path)
  return typeof found === 'string' ? found : undefined
}

/** The texts of a list or of a map at a path. */
export function textsAt(form: Form, ...path: string[]): Record<string, string> {
  const found = formAt(form, ...path)
  if (typeof found !== 'object') return {}
  const entries = Object.entries(found)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

export function formAt(form: Form, ...path: string[]): Form | string | undefined {
  let at: Form | string | undefined = form
  for (const part of path) at = typeof at === 'object' ? at[part] : undefined
  return at
}
