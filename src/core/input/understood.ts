import type { Answer } from '../answer.ts'
import type { OperationFacts } from '../operation-facts.ts'
import type { Warning } from '../schema.ts'
import { heavyCharacters } from './bounds.ts'

/** How a part of an input was read that was not sent as its schema has it. */
export interface Understood {
  /** JSON Pointer into the input. */
  pointer: string
  /**
   * What a text was read as; `document`: members that stood one level too high or too low, or under another name;
   * `member`: one that was sent by another name; `more`: further texts, of which only the count is told.
   */
  as: 'number' | 'boolean' | 'object' | 'array' | 'document' | 'member' | 'more'
  /** How many, of `more`. */
  count?: number
}

const words: Readonly<Record<Exclude<Understood['as'], 'more'>, string>> = {
  number: 'The text was read as the number in it.',
  boolean: 'The text was read as true or false.',
  object: 'The text was read as the JSON object in it.',
  array: 'The text was read as the list in it.',
  document: 'What was sent was read as this document: wrapped or flat as the call did not have it.',
  member: 'What was sent by another name was read as this member.',
}

/** The same as warnings, whose pointers go into the document. */
function warningsOf(understood: readonly Understood[], document = ''): Warning[] {
  return understood.map(({ pointer, as, count }) => ({
    code: 'understood',
    pointer: withoutDocument(pointer, document),
    message: as === 'more' ? `${count} further texts were read in the same way.` : words[as],
  }))
}

/** The pointer within the document of an operation, where it goes into it. */
export function withoutDocument(pointer: string, document = ''): string {
  const prefix = `/${document}`
  const isInside = document !== '' && `${pointer}/`.startsWith(`${prefix}/`)
  return isInside ? pointer.slice(prefix.length) : pointer
}

/** An answer that lists warnings tells there, too, how its input was understood. */
export function toldOf(
  op: Pick<OperationFacts, 'output' | 'document'>,
  answer: Answer,
  understood?: readonly Understood[],
): Answer {
  const isListing = 'warnings' in op.output.shape && !answer.events && !answer.refused
  if (!understood || !isListing || answer.text.length > heavyCharacters) return answer
  // The answer of an operation is an object, and its schema says what its warnings are.
  const value = JSON.parse(answer.text) as { warnings?: Warning[] }
  const warnings = [...warningsOf(understood, op.document), ...(value.warnings ?? [])]
  return answer.withText(JSON.stringify({ ...value, warnings }))
}

/** So many are told in a header. */
const toldAtMost = 20

/**
 * The header that tells how an input was understood, as a list of structured fields (RFC 9651):
 * `"/limit";as=number`, and of more than twenty how many more: `"";as=more;count=3`. Pointers are
 * percent-encoded.
 * @param document the member of the input that was the whole body
 */
export function understoodHeader(
  understood: readonly Understood[] | undefined,
  document?: string,
): Record<string, string> {
  if (!understood || understood.length === 0) return {}
  const told = understood.slice(0, toldAtMost).map((one) => {
    const shown = encodeURI(withoutDocument(one.pointer, document).slice(0, 200).toWellFormed())
    return `"${shown}";as=${one.as}${one.as === 'more' ? `;count=${one.count}` : ''}`
  })
  const more = understood.slice(toldAtMost).reduce((sum, { count = 1 }) => sum + count, 0)
  return { Understood: [...told, ...(more > 0 ? [`"";as=more;count=${more}`] : [])].join(', ') }
}
