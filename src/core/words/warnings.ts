import type { Answer } from '../answer.ts'
import { heavyCharacters } from '../input/bounds.ts'
import { isMap } from '../maps.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { inWords, namesCalls, type Words } from './reference.ts'

/** The members of answers that hold texts of the service about what was sent. */
const lists = ['warnings', 'findings'] as const

/**
 * An answer whose warnings, or findings, name calls in the words of a door. They are made, and kept for a retry
 * by any door, with references to calls. Nothing else of the answer is touched: it may be a caller's own text.
 */
export function wordedWarnings(
  { output }: Pick<OperationFacts, 'output'>,
  answer: Answer,
  words: Words,
): Answer {
  if (answer.events || answer.refused) return answer
  let { text } = answer
  // Few answers have such a list: only those are looked through for a reference.
  const told = lists.filter((member) => member in output.shape && text.includes(`"${member}":[`))
  if (told.length === 0 || !namesCalls(text)) return answer
  for (const member of told) {
    text = inLast(text, member, words) ?? inWhole(text, member, words) ?? text
  }
  return text === answer.text ? answer : answer.withText(text)
}

/** Where the list is the last member, as mostly, it alone is parsed: an answer may be large. */
function inLast(text: string, member: string, words: Words): string | undefined {
  const name = `"${member}":`
  // Inside of a JSON string quotation marks are escaped, so this is a member.
  const at = text.lastIndexOf(`${name}[`)
  if (at < 0 || !text.endsWith(']}')) return undefined
  const from = at + name.length
  const list = parsed(text.slice(from, -1))
  // What closes right after the list is the answer itself.
  return Array.isArray(list)
    ? `${text.slice(0, from)}${JSON.stringify(list.map((one) => saidIn(one, words)))}}`
    : undefined
}

function inWhole(text: string, member: string, words: Words): string | undefined {
  if (text.length > heavyCharacters) return undefined
  const value = parsed(text)
  const list = isMap(value) ? value[member] : undefined
  if (!isMap(value) || !Array.isArray(list)) return undefined
  return JSON.stringify({ ...value, [member]: list.map((one: unknown) => saidIn(one, words)) })
}

function saidIn(one: unknown, words: Words): unknown {
  if (!isMap(one) || typeof one['message'] !== 'string') return one
  return { ...one, message: inWords(one['message'], words) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
