import type { Clock } from '#src/ports/clock.ts'
import type { Answer } from '../answer.ts'
import { isMap } from '../maps.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { inPortionsIfLong, type Steps } from '../turns/portions.ts'
import { inWords, namesCalls, type Words } from './reference.ts'

/** The members of answers that hold texts of the service about what was sent. */
const lists = ['warnings', 'findings'] as const

/** Characters that are looked through in one step. */
const charactersInStep = 65_536

type Facts = Pick<OperationFacts, 'output' | 'says'>

/**
 * An answer whose notice, warnings, findings, and what else its operation `says`, name calls in the words of a door.
 * They are made, and kept for a retry by any door, with references to calls. Nothing else of the answer is touched: it may
 * be a caller's own text.
 */
export function wordedWarnings(
  op: Facts,
  made: Answer,
  words: Words,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Answer | Promise<Answer> {
  if (made.events || made.refused) return made
  const { text, notice } = made
  const answer = notice && namesCalls(notice) ? made.withText(text, inWords(notice, words)) : made
  // Few answers have such a member: only those are looked through for a reference.
  const told = toldIn(op, text)
  if (told.length === 0 || !(namesCalls(text) || namesNext(op, text))) return answer
  return inPortionsIfLong(wordedSteps(op, answer, words), clock)
}

function toldIn({ output, says = [] }: Facts, text: string): string[] {
  const inAny = lists.filter((member) => member in output.shape)
  return [...inAny, ...says].filter((member) => text.includes(`"${member}":`))
}

/** Whether it may have the name of an operation as a member of its own. */
function namesNext({ says }: Facts, text: string): boolean {
  return says !== undefined && text.includes('"operation":"')
}

/** The same in steps. */
export function* wordedSteps(op: Facts, answer: Answer, words: Words): Steps<Answer> {
  let { text } = answer
  for (const member of toldIn(op, text)) {
    const place = atEnd(text, member) ?? (yield* within(text, member))
    if (!place) continue
    const said = JSON.stringify(saidIn(place.value, words))
    text = text.slice(0, place.from) + said + text.slice(place.to)
  }
  return text === answer.text ? answer : answer.withText(text)
}

/** A member in the text of an answer, and where its value stands there. */
interface Place {
  from: number
  to: number
  value: unknown
}

/** Where it is the last member, as mostly, nothing else is looked at: an answer may be large. */
function atEnd(text: string, member: string): Place | undefined {
  const name = `"${member}":`
  const at = text.lastIndexOf(name)
  // Inside of a JSON string quotation marks are escaped, so this is a member, or the end of a longer name.
  if (at < 0 || text[at - 1] === '\\') return undefined
  // What closes right after the value is the answer itself.
  return placeAt(text, at + name.length, text.length - 1)
}

/** A member of the answer itself, wherever it stands: each character is looked at once at most. */
function* within(text: string, member: string): Steps<Place | undefined> {
  const name = `"${member}":`
  let from = -1
  let depth = 0
  let isInText = false
  const isEnd = (at: number): boolean => depth === 1 && from >= 0 && at > from
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
      if (!isInText && isEnd(at)) return placeAt(text, from, at + 1)
    } else if (sign === '"') {
      if (depth === 1 && from < 0 && text.startsWith(name, at)) {
        from = at + name.length
        at = from - 1
      } else isInText = true
    } else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      depth -= 1
      if (isEnd(at)) return placeAt(text, from, at + 1)
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
  const value = parsed(text.slice(from, to))
  return value === undefined ? undefined : { from, to, value }
}

/** Texts of the service, at most as deep as the next calls of a list in an object. */
function saidIn(value: unknown, words: Words): unknown {
  if (typeof value === 'string') return inWords(value, words)
  if (Array.isArray(value)) return value.map((one: unknown) => saidIn(one, words))
  if (!isMap(value)) return value
  const { message, why, operation, next } = value
  return {
    ...value,
    ...(typeof message === 'string' && { message: inWords(message, words) }),
    ...(typeof why === 'string' && { why: inWords(why, words) }),
    ...(typeof operation === 'string' && { operation: words(operation, {}) }),
    ...(next !== undefined && typeof next !== 'string' && { next: saidIn(next, words) }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
