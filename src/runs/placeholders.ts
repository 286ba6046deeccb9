/** A name in doubled braces; how long it may be with the blanks around it keeps the search linear. */
const braces = /\{\{([^{}]{1,240})\}\}/g
const nameAtMost = 200

/** The names that a text asks to have filled in, each as often as it stands there. */
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
