import { heavyCharacters, heavyNodes } from '../input/bounds.ts'
import type { Steps } from '../turns/portions.ts'

/**
 * How long the JSON text of a document is, in steps, each of which takes a moment.
 * @param lengthOf measures a text: in UTF-16 units, as stored bytes are counted, or in another unit
 */
export function* sizeSteps(
  document: unknown,
  lengthOf: (text: string) => number = ({ length }) => length,
): Steps<number> {
  let size = 0
  let left = heavyNodes
  const open = [document]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      left -= next.length >> 8
      size +=
        next.length > heavyCharacters ? yield* textSteps(next, lengthOf) : textSize(next, lengthOf)
    } else if (typeof next !== 'object' || next === null) {
      // An undefined item of a list is written as null.
      size += lengthOf(JSON.stringify(next ?? null))
    } else if (Array.isArray(next)) {
      size += separators(next.length)
      for (const one of next as unknown[]) open.push(one)
    } else {
      const members = Object.entries(next).filter(([, one]) => one !== undefined)
      size += separators(members.length) + members.length
      for (const [name, one] of members) {
        size += textSize(name, lengthOf)
        open.push(one)
      }
    }
    if (--left > 0) continue
    left = heavyNodes
    yield
  }
  return size
}

/** The brackets and commas of so many members or items. */
function separators(count: number): number {
  return count === 0 ? 2 : count + 1
}

function textSize(text: string, lengthOf: (text: string) => number): number {
  return lengthOf(JSON.stringify(text))
}

/** A long text in parts, none of which ends within a pair of surrogates. */
function* textSteps(text: string, lengthOf: (text: string) => number): Steps<number> {
  let size = 2
  for (let at = 0; at < text.length;) {
    const cut = at + heavyCharacters
    const end = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800 ? cut + 1 : cut
    size += textSize(text.slice(at, end), lengthOf) - 2
    yield
    at = end
  }
  return size
}
