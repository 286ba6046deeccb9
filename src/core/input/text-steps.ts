import type { Steps } from '../turns/portions.ts'
import { heavyCharacters, heavyNodes } from './bounds.ts'

/** So many characters take as long as a member does. */
const charactersOfMember = Math.ceil(heavyCharacters / heavyNodes)

/** Writes plain JSON as `JSON.stringify` does, in steps: a large value in pieces, each of which takes a moment. */
export function* textSteps(value: unknown): Steps<string> {
  const pieces: string[] = []
  yield* writeSteps(value, pieces)
  return pieces.join('')
}

function* writeSteps(value: unknown, into: string[]): Steps<void> {
  if (typeof value === 'string' && value.length > heavyCharacters) {
    yield* longSteps(value, into)
  } else if (Array.isArray(value) && !isLight(value)) {
    into.push('[')
    yield* listSteps(value, into)
    into.push(']')
  } else if (typeof value === 'object' && value !== null && !isLight(value)) {
    into.push('{')
    yield* objectSteps(value, into)
    into.push('}')
  } else {
    into.push(JSON.stringify(value ?? null))
    yield
  }
}

function* listSteps(items: readonly unknown[], into: string[]): Steps<void> {
  for (let from = 0; from < items.length;) {
    let weight = weightOf(items[from])
    let to = from + 1
    for (; to < items.length; to += 1) {
      weight += weightOf(items[to])
      if (weight > heavyNodes) break
    }
    if (from > 0) into.push(',')
    if (to === from + 1) yield* writeSteps(items[from], into)
    else into.push(inside(items.slice(from, to)))
    yield
    from = to
  }
}

function* objectSteps(value: object, into: string[]): Steps<void> {
  let text = ''
  let weight = 0
  let isFirst = true
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name)
    if (member === undefined) continue
    const own = weightOf(member) + weightOf(name)
    if (weight + own > heavyNodes) {
      into.push(text)
      yield
      text = ''
      weight = 0
    }
    if (!isFirst) text += ','
    isFirst = false
    if (own <= heavyNodes) {
      // An object made of a batch of members would take far longer to make.
      text += `${JSON.stringify(name)}:${JSON.stringify(member)}`
      weight += own
    } else {
      into.push(text)
      text = ''
      yield* writeSteps(name, into)
      into.push(':')
      yield* writeSteps(member, into)
    }
  }
  into.push(text)
  yield
}

/** The JSON of a text or a list without what is around it. */
function inside(value: string | readonly unknown[]): string {
  return JSON.stringify(value).slice(1, -1)
}

function isLight(value: unknown): boolean {
  return weightOf(value) <= heavyNodes
}

/** How much there is to write, in members; counted until it is more than one step can write. */
function weightOf(value: unknown): number {
  let weight = 0
  const open = [value]
  while (open.length > 0 && weight <= heavyNodes) {
    const next = open.pop()
    weight += 1
    if (typeof next === 'string') weight += Math.floor(next.length / charactersOfMember)
    if (typeof next !== 'object' || next === null) continue
    // To list the names of many members takes long, and their values longer.
    const inner: readonly unknown[] = Array.isArray(next) ? next : Object.keys(next)
    if (inner.length > heavyNodes) return inner.length
    for (const one of inner) open.push(inner === next ? one : Reflect.get(next, String(one)))
  }
  return weight
}

/** A long text in parts, none of which ends within a pair of surrogates. */
function* longSteps(text: string, into: string[]): Steps<void> {
  into.push('"')
  for (let at = 0; at < text.length;) {
    const cut = at + heavyCharacters
    const end = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800 ? cut + 1 : cut
    into.push(inside(text.slice(at, end)))
    yield
    at = end
  }
  into.push('"')
}
