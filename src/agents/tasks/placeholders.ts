/** A name in double braces; the bound on its length, including blanks, keeps the search linear. */
const braces = /\{\{([^{}]{1,240})\}\}/g
const nameAtMost = 200

/** The placeholders of a text, each as often as it occurs. */
export function* placeholdersIn(text: string): Generator<{ whole: string; name: string }> {
  for (const [whole, inside = ''] of text.matchAll(braces)) {
    const name = nameIn(inside)
    if (name !== undefined) yield { whole, name }
  }
}

/** The text with each of them replaced. */
export function filledIn(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(braces, (whole, inside: string) => {
    const name = nameIn(inside)
    return name === undefined ? whole : valueOf(name)
  })
}

function nameIn(inside: string): string | undefined {
  const name = inside.trim()
  return name !== '' && name.length <= nameAtMost ? name : undefined
}
