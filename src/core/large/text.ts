import { referredBy } from './value.ts'

const start = '"@large:'
const [quote, colon, backslash] = [34, 58, 92]
/** `{`, `[` and what closes them. */
const [object, list, endOfObject, endOfList] = [123, 91, 125, 93]

/** Where a reference stands in the JSON of a document. */
export interface Place {
  from: number
  to: number
  id: string
}

/**
 * The references among the top-level members of these names in the JSON of a document, which has no blanks. Of a
 * text without any it reads nothing more than that.
 */
export function placesIn(text: string, members: readonly string[]): Place[] {
  const places: Place[] = []
  const last = text.lastIndexOf(start)
  let depth = 0
  let seen = 0
  for (let i = 0; i <= last && seen < members.length; i++) {
    const character = text.charCodeAt(i)
    if (character === object || character === list) depth += 1
    else if (character === endOfObject || character === endOfList) depth -= 1
    if (character !== quote) continue
    const end = endOfString(text, i)
    const isName = depth === 1 && text.charCodeAt(end) === colon
    const name = isName ? text.slice(i + 1, end - 1) : ''
    i = end - 1
    if (!members.includes(name)) continue
    seen += 1
    if (!text.startsWith(start, end + 1)) continue
    const to = endOfString(text, end + 1)
    const id = referredBy(text.slice(end + 2, to - 1))
    if (id !== undefined) places.push({ from: end + 1, to, id })
    i = to - 1
  }
  return places
}

/** The position after a string that begins here. */
function endOfString(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
}

/** The text with the JSON of the values in the place of their references; one that is gone is null. */
export function spliced(
  text: string,
  places: readonly Place[],
  values: ReadonlyMap<string, string>,
): string {
  let [whole, done] = ['', 0]
  for (const { from, to, id } of places) {
    whole += text.slice(done, from) + (values.get(id) ?? 'null')
    done = to
  }
  return whole + text.slice(done)
}
