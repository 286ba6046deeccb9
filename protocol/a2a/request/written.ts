/** A longer text is not looked through: large inputs come in a data part. */
const charactersAtMost = 2 ** 16

/** The JSON object written in a text; undefined if there is none, or more than one that could be meant. */
export function writtenIn(text: string): object | undefined {
  if (text.length > charactersAtMost || !text.includes('{')) return undefined
  const fenced = fencedIn(text)
  if (fenced.length > 1) return undefined
  // The first and the last brace of two objects hold no object between them.
  return fenced[0] ?? objectIn(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
}

/** The objects in blocks of code, of any language. */
function fencedIn(text: string): object[] {
  return text
    .split('```')
    .filter((_, i) => i % 2 === 1)
    .flatMap((block) => objectIn(block.slice(Math.max(0, block.indexOf('{')))) ?? [])
}

/** @returns undefined if the text is no JSON, or the JSON is no object */
export function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
