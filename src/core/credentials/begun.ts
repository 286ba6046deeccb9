import { forms, type Form } from './forms.ts'
import { matchAt, placesOf, type Span } from './found.ts'

/** Every form has a run of at least so many letters, digits, `_` and `-`; few words of prose do. */
const shortestRun = 16

const isPart = new Uint8Array(128)
for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-') {
  isPart[character.charCodeAt(0)] = 1
}

function isPartAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit < 128 && isPart[unit] === 1
}

const byStart = new Map<string, Form[]>()
for (const form of forms) {
  for (const start of form.starts) byStart.set(start, [...(byStart.get(start) ?? []), form])
}
const starts = [...byStart.keys()]
  .filter((start) => start !== 'whsec_')
  .sort((a, b) => b.length - a.length)
// A run holds no dot: these prefixes end where a run begins.
const dotted = starts.filter((start) => start.includes('.'))
const plain = starts.filter((start) => !start.includes('.'))
// In a line break written as \n, a letter stands directly before the credential.
const begins = new RegExp(`(?:(?<![0-9A-Za-z])|(?<=\\\\[nrt]))(?:${plain.join('|')})`, 'g')
const edge = /(?:^|[^0-9A-Za-z]|\\[nrt])$/

/** The credentials of a text that are known by their prefix. */
export function begunIn(text: string): Span[] {
  const found: Span[] = []
  let at = shortestRun - 1
  while (at < text.length) {
    // A run that is long enough covers one of every sixteen places.
    if (!isPartAt(text, at)) {
      at += shortestRun
      continue
    }
    let start = at
    while (start > 0 && isPartAt(text, start - 1)) start--
    let end = at + 1
    while (isPartAt(text, end)) end++
    if (end - start >= shortestRun) lookInRun(text, start, end, found)
    at = end + shortestRun
  }
  // Its `+` and `/` may split it into runs that are too short.
  for (const place of placesOf('whsec_', text)) lookAt(text, place, 'whsec_', found)
  return found
}

function lookInRun(text: string, start: number, end: number, found: Span[]): void {
  for (const begin of dotted) {
    const from = start - begin.length
    if (text.startsWith(begin, from) && edge.test(text.slice(Math.max(0, from - 2), from))) {
      lookAt(text, from, begin, found)
    }
  }
  // Two more characters, to see what is before the run.
  const from = Math.max(0, start - 2)
  const run = text.slice(from, end)
  begins.lastIndex = start - from
  for (let begin = begins.exec(run); begin; begin = begins.exec(run)) {
    const next = lookAt(text, from + begin.index, begin[0], found)
    // What has the form but is no credential is skipped whole: searching inside is slow and finds false ones.
    if (next > from + begins.lastIndex) begins.lastIndex = next - from
  }
}

/** Where to continue: after a match of this prefix, else after the prefix itself. */
function lookAt(text: string, at: number, begin: string, found: Span[]): number {
  const rest = at + begin.length
  for (const { kind, rest: pattern, isReal, isAlone } of byStart.get(begin) ?? []) {
    if (isAlone && isPartAt(text, at - 1) && text[at - 2] !== '\\') continue
    const match = matchAt(pattern, text, rest)
    if (!match) continue
    const end = rest + match[0].length
    const before = text.slice(Math.max(0, at - 12), at)
    if (isReal(match[0], begin, before)) found.push({ kind, at, end })
    return end
  }
  return rest
}
