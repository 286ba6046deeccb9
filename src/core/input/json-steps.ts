import type { Steps } from '../turns/portions.ts'
import { heavyCharacters } from './bounds.ts'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [list, object] = [0x5b, 0x7b]
const closing = new Map([
  [quote, quote],
  [list, 0x5d],
  [object, 0x7d],
])
/** Characters of lists and objects in one step: small objects with names of their own take longest. */
const charactersOfStep = 16_384

/** Parses JSON in steps: a large text in pieces, each of which takes a moment. @throws SyntaxError */
export function* parsedSteps(text: string): Steps<unknown> {
  return yield* partSteps(text, 0, text.length)
}

function* partSteps(text: string, start: number, end: number): Steps<unknown> {
  const [from, to] = withoutBlanks(text, start, end)
  const first = text.charCodeAt(from)
  const length = to - from
  if (length > charactersOfStep && text.charCodeAt(to - 1) === closing.get(first)) {
    const inside = withoutBlanks(text, from + 1, to - 1)
    if (first === list) return yield* listSteps(text, ...inside)
    if (first === object) return yield* objectSteps(text, ...inside)
    if (length > heavyCharacters) return yield* textSteps(text, from, to)
  }
  yield
  return JSON.parse(text.slice(from, to)) as unknown
}

function withoutBlanks(text: string, start: number, end: number): [from: number, to: number] {
  let [from, to] = [start, end]
  while (from < to && isBlank(text.charCodeAt(from))) from += 1
  while (from < to && isBlank(text.charCodeAt(to - 1))) to -= 1
  return [from, to]
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function* listSteps(text: string, from: number, to: number): Steps<unknown> {
  const items: unknown[] = []
  // What ends in a comma has another piece to come, which may not be empty.
  for (let at = from; at <= to;) {
    const { end, isLarge } = yield* pieceSteps(text, at, to)
    if (isLarge) items.push(yield* partSteps(text, at, end))
    else {
      // It is a list by its brackets.
      const more = JSON.parse(`[${text.slice(at, end)}]`) as unknown[]
      if (more.length === 0) refuseEmpty(from < to)
      for (const one of more) items.push(one)
    }
    yield
    at = end + 1
  }
  return items
}

function* objectSteps(text: string, from: number, to: number): Steps<unknown> {
  const members: Record<string, unknown> = {}
  for (let at = from; at <= to;) {
    const { end, isLarge } = yield* pieceSteps(text, at, to)
    if (isLarge) {
      const nameEnd = yield* endSteps(text, at, end, colon)
      const name = yield* partSteps(text, at, nameEnd)
      if (typeof name !== 'string') throw new SyntaxError('a name of a member is no text')
      setMember(members, name, yield* partSteps(text, nameEnd + 1, end))
    } else {
      const piece = text.slice(at, end)
      if (piece.trim() === '') refuseEmpty(from < to)
      setMembers(members, JSON.parse(`{${piece}}`) as object)
    }
    yield
    at = end + 1
  }
  return members
}

/** @throws SyntaxError if there is nothing between two commas, or between one and the end */
function refuseEmpty(hasOthers: boolean): void {
  if (hasOthers) throw new SyntaxError('an item is missing')
}

function setMembers(members: Record<string, unknown>, more: object): void {
  if (!Object.hasOwn(more, prototype)) return void Object.assign(members, more)
  for (const [name, one] of Object.entries(more)) setMember(members, name, one)
}

/** Sets a member; also `__proto__` is an ordinary one, as it is for `JSON.parse`. */
export function setMember(
  members: Record<string, unknown>,
  name: string | number,
  value: unknown,
): void {
  if (name !== prototype) members[name] = value
  else Object.defineProperty(members, name, { value, ...ordinary })
}

const prototype = '__proto__'
const ordinary = { configurable: true, enumerable: true, writable: true }

/** The next members or items that one step can parse, or one that is too large for it. */
function* pieceSteps(
  text: string,
  from: number,
  to: number,
): Steps<{ end: number; isLarge: boolean }> {
  let end = from - 1
  while (end < to) {
    const next = yield* endSteps(text, end + 1, to, comma)
    if (next - from > charactersOfStep) {
      return end < from ? { end: next, isLarge: true } : { end, isLarge: false }
    }
    end = next
  }
  return { end: to, isLarge: false }
}

/** The place of the first such sign outside of texts, lists and objects; the end if there is none. */
function* endSteps(text: string, from: number, to: number, sign: number): Steps<number> {
  let depth = 0
  let isInText = false
  for (let at = from, rest = from + heavyCharacters; at < to; at += 1) {
    if (at > rest) {
      yield
      rest = at + heavyCharacters
    }
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === backslash) at += 1
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code === sign && depth === 0) return at
    // `{` and `[`, `}` and `]` differ in one bit each.
    else if ((code | 0x20) === 0x7b) depth += 1
    else if ((code | 0x20) === 0x7d) depth -= 1
  }
  return to
}

/** A long text, cut where no escape is. */
function* textSteps(text: string, from: number, to: number): Steps<string> {
  const parts: string[] = []
  for (let at = from + 1; at < to - 1;) {
    // An escape that takes the last quote is left cut in two, which no parser takes.
    const end = Math.min(outsideEscape(text, at, Math.min(at + heavyCharacters, to - 1)), to - 1)
    parts.push(String(JSON.parse(`"${text.slice(at, end)}"`)))
    yield
    at = end
  }
  return parts.join('')
}

/**
 * The first place from here on that is in no escape, such as `\n` or `\u001f`.
 * @param from an earlier place that is in none
 */
function outsideEscape(text: string, from: number, at: number): number {
  for (let back = 1; back <= 5; back += 1) {
    if (at - back < from || text.charCodeAt(at - back) !== backslash) continue
    let first = at - back
    while (first > from && text.charCodeAt(first - 1) === backslash) first -= 1
    // Of a row of them each second one is escaped itself.
    const isEscape = (at - back - first) % 2 === 0
    if (!isEscape) return at
    const length = text[at - back + 1] === 'u' ? 6 : 2
    return Math.max(at, at - back + length)
  }
  return at
}
