import type { Clock } from '#src/ports/clock.ts'
import type { Answer } from '../answer.ts'
import { isMap } from '../maps.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { inPortionsIfLong, type Steps } from '../turns/portions.ts'
import { inWords, namesCalls, type Words } from './reference.ts'

/** The lists of answers that hold texts of the service, about what was sent or what to do next, and where in each. */
const lists = { warnings: 'message', findings: 'message', next: 'why' } as const
type List = keyof typeof lists
// The keys of a literal are those of its type.
const names = Object.keys(lists) as List[]

/** Characters that are looked through in one step. */
const charactersInStep = 65_536

/**
 * An answer whose warnings, findings or next steps name calls in the words of a door. They are made, and kept for a retry
 * by any door, with references to calls. Nothing else of the answer is touched: it may be a caller's own text.
 */
export function wordedWarnings(
  op: Pick<OperationFacts, 'output'>,
  answer: Answer,
  words: Words,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Answer | Promise<Answer> {
  const { text } = answer
  if (answer.events || answer.refused) return answer
  // Few answers have such a list: only those are looked through for a reference.
  if (listsIn(op, text).length === 0 || !namesCalls(text)) return answer
  return inPortionsIfLong(wordedSteps(op, answer, words), clock)
}

function listsIn({ output }: Pick<OperationFacts, 'output'>, text: string): List[] {
  return names.filter((member) => member in output.shape && text.includes(`"${member}":[`))
}

/** The same in steps. */
export function* wordedSteps(
  op: Pick<OperationFacts, 'output'>,
  answer: Answer,
  words: Words,
): Steps<Answer> {
  let { text } = answer
  for (const member of listsIn(op, text)) {
    const place = atEnd(text, member) ?? (yield* within(text, member))
    if (!place) continue
    const said = JSON.stringify(place.list.map((one) => saidIn(one, lists[member], words)))
    text = text.slice(0, place.from) + said + text.slice(place.to)
  }
  return text === answer.text ? answer : answer.withText(text)
}

/** A list in the text of an answer, and where it stands there. */
interface Place {
  from: number
  to: number
  list: readonly unknown[]
}

/** Where the list is the last member, as mostly, nothing else is looked at: an answer may be large. */
function atEnd(text: string, member: string): Place | undefined {
  const name = `"${member}":`
  // Inside of a JSON string quotation marks are escaped, so this is a member.
  const at = text.lastIndexOf(`${name}[`)
  if (at < 0 || !text.endsWith(']}')) return undefined
  // What closes right after the list is the answer itself.
  return placeAt(text, at + name.length, text.length - 1)
}

/** The list as a member of the answer itself, wherever it stands: each character is looked at once at most. */
function* within(text: string, member: string): Steps<Place | undefined> {
  const name = `"${member}":`
  let from = -1
  let depth = 0
  let isInText = false
  let rest = charactersInStep
  for (let at = 0; at < text.length; at++) {
    if (at > rest) {
      yield
      rest = at + charactersInStep
    }
    const sign = text[at]
    if (isInText) {
      at = nextQuote(text, at)
      isInText = isEscaped(text, at)
    } else if (sign === '"') {
      if (depth === 1 && text.startsWith(`${name}[`, at)) from = at + name.length
      isInText = true
    } else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (depth === 1 && from >= 0) return placeAt(text, from, at + 1)
    }
  }
  return undefined
}

function nextQuote(text: string, from: number): number {
  const at = text.indexOf('"', from)
  return at < 0 ? text.length : at
}

function isEscaped(text: string, at: number): boolean {
  let escapes = 0
  while (text[at - 1 - escapes] === '\\') escapes += 1
  return escapes % 2 === 1
}

function placeAt(text: string, from: number, to: number): Place | undefined {
  const list = parsed(text.slice(from, to))
  return Array.isArray(list) ? { from, to, list } : undefined
}

function saidIn(one: unknown, member: string, words: Words): unknown {
  if (!isMap(one) || typeof one[member] !== 'string') return one
  return { ...one, [member]: inWords(one[member], words) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
