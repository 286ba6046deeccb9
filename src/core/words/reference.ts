/**
 * A call that a text for a caller names. It stands in the text as `<tasks.list>`, or with members of its input
 * as `<tasks.list {"char_id":"ada"}>`, until the door by which the text leaves says it in its own words.
 */
export function call(name: string, input?: Readonly<Record<string, unknown>>): string {
  if (!input || Object.keys(input).length === 0) return `<${name}>`
  // No value may end the reference.
  const said = JSON.stringify(input).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')
  return `<${name} ${said}>`
}

/** Members of the input of a call that a text names. */
export type Input = Readonly<Record<string, unknown>>

/** How a door names the call of an operation. */
export type Words = (name: string, input: Input) => string

const reference = /<([a-z][a-z_]*(?:\.[a-z_]+)+)(?: (\{[^<>]*\}))?>/g

/** Whether a text, or JSON that holds it, may name calls. */
export function namesCalls(text: string): boolean {
  return beginning.test(text)
}

const beginning = /<[a-z][a-z_]*(?:\.[a-z_]+)+[ >]/

/** A text with every call that it names in the words of a door. */
export function inWords(text: string, words: Words): string {
  if (!text.includes('<')) return text
  return text.replaceAll(reference, (whole, name: string, sent: string | undefined) => {
    const input = inputIn(sent)
    return input ? `\`${words(name, input)}\`` : whole
  })
}

function inputIn(sent: string | undefined): Input | undefined {
  if (sent === undefined) return {}
  try {
    return JSON.parse(sent) as Input
  } catch {
    // A caller's own text that looks like a reference is left as it is.
    return undefined
  }
}

/** By the names of operations, which are the methods of A2A. */
export const inNames: Words = (name, input) =>
  Object.keys(input).length === 0 ? name : `${name} ${JSON.stringify(input)}`
