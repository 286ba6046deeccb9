import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'

/** Longer texts are compared by their beginnings and ends alone: comparing takes steps as the product of both. */
const linesAtMost = 400
const shownAtMost = 400
const lineAtMost = 1000

type Part = readonly [sign: 'same' | 'gone' | 'new', line: string]

/** What a change takes away from a text and what it adds, line by line. */
export function diffOf(before: string, after: string): Html {
  const parts = around(partsOf(linesOf(before), linesOf(after)))
  const shown = parts.slice(0, shownAtMost)
  return html`<div class="diff" tabindex="0" role="group" aria-label="The change">
    ${shown.map((part) => lineOf(part))}
    ${parts.length > shown.length && html`<p class="soft">${count(parts.length - shown.length, 'more line')}</p>`}
  </div>`
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function lineOf([sign, line]: Part): Html {
  const text = withHiddenShown(line.slice(0, lineAtMost)) || '\u00a0'
  if (sign === 'gone') return html`<del><span class="word">Gone: </span>${text}</del>`
  if (sign === 'new') return html`<ins><span class="word">New: </span>${text}</ins>`
  return html`<p>${text}</p>`
}

/** Of what stays the same, the lines next to a change are enough. */
function around(parts: readonly Part[]): Part[] {
  const near = 2
  const isNear = (at: number) =>
    parts.slice(Math.max(0, at - near), at + near + 1).some(([sign]) => sign !== 'same')
  return parts.flatMap((part, at): Part[] => {
    if (isNear(at)) return [part]
    return isNear(at - 1) ? [['same', '…']] : []
  })
}

function partsOf(before: readonly string[], after: readonly string[]): Part[] {
  const same = (a: number, b: number): boolean => before[a] === after[b]
  let head = 0
  while (head < Math.min(before.length, after.length) && same(head, head)) head++
  let tail = 0
  const least = Math.min(before.length, after.length) - head
  while (tail < least && same(before.length - 1 - tail, after.length - 1 - tail)) tail++
  const [old, fresh] = [
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  ]
  const isLong = old.length > linesAtMost || fresh.length > linesAtMost
  return [
    ...before.slice(0, head).map((line): Part => ['same', line]),
    ...(isLong ? replaced(old, fresh) : compared(old, fresh)),
    ...before.slice(before.length - tail).map((line): Part => ['same', line]),
  ]
}

function replaced(old: readonly string[], fresh: readonly string[]): Part[] {
  return [...old.map((line): Part => ['gone', line]), ...fresh.map((line): Part => ['new', line])]
}

/** By the longest sequence of lines that both have. */
function compared(old: readonly string[], fresh: readonly string[]): Part[] {
  const width = fresh.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  const at = (a: number, b: number): number => common[a * width + b] ?? 0
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = fresh.length - 1; b >= 0; b--) {
      common[a * width + b] =
        old[a] === fresh[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1))
    }
  }
  const parts: Part[] = []
  let [a, b] = [0, 0]
  while (a < old.length || b < fresh.length) {
    const [gone, added] = [old[a], fresh[b]]
    if (gone !== undefined && gone === added) {
      parts.push(['same', gone])
      a++
      b++
    } else if (gone !== undefined && (added === undefined || at(a + 1, b) >= at(a, b + 1))) {
      parts.push(['gone', gone])
      a++
    } else if (added !== undefined) {
      parts.push(['new', added])
      b++
    }
  }
  return parts
}
