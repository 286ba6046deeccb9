/** A range of a text that belongs together: from `start` up to, but not including, `end`. */
export interface Block {
  kind: 'heading' | 'paragraph' | 'item' | 'fence' | 'table'
  start: number
  end: number
  /** 1 to 6 for a heading; else 0. */
  level: number
}

// Each is matched at the beginning of a line, and none can scan a line more than once.
const blank = /[^\S\n]*(?:\n|$)/y
const fence = /[^\S\n]*(`{3,}|~{3,})([^\n]*)/y
const heading = / {0,3}(#{1,6})(?=\s|$)/y
const item = /[^\S\n]*(?:[-*+•]|\d{1,9}[.)])[^\S\n]+(?=\S)/y
const underline = / {0,3}(=+|-+)[^\S\n]*(?:\n|$)/y

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Paragraphs, separated by blank lines. */
export function* plainBlocks(text: string): Generator<Block> {
  let start = -1
  let last = 0
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at)
    if (matchAt(blank, text, at)) {
      if (start !== -1) yield { kind: 'paragraph', start, end: last, level: 0 }
      start = -1
    } else {
      if (start === -1) start = at
      last = end
    }
    at = end + 1
  }
  if (start !== -1) yield { kind: 'paragraph', start, end: last, level: 0 }
}

/** The blocks of a Markdown text. Only blanks stand between them. */
export function* markdownBlocks(text: string): Generator<Block> {
  let at = 0
  while (at < text.length) {
    const end = lineEnd(text, at)
    if (matchAt(blank, text, at)) {
      at = end + 1
      continue
    }
    const block = blockAt(text, at, end)
    yield block
    at = block.end + 1
  }
}

/** A longer line that begins like a heading is a paragraph. */
const headingAtMost = 300

function blockAt(text: string, start: number, end: number): Block {
  const fenced = fenceAt(text, start)
  if (fenced !== undefined) return { kind: 'fence', start, end: fenced, level: 0 }
  const marks = end - start <= headingAtMost ? matchAt(heading, text, start) : null
  if (marks) return { kind: 'heading', start, end, level: marks[1]?.length ?? 1 }
  if (isTableAt(text, start, end)) {
    return { kind: 'table', start, end: tableEnd(text, end), level: 0 }
  }
  const kind = matchAt(item, text, start) ? 'item' : 'paragraph'
  const under = kind === 'paragraph' && end - start <= headingAtMost && underlineAt(text, end + 1)
  if (under) return { kind: 'heading', start, end: lineEnd(text, end + 1), level: under }
  return { kind, start, end: paragraphEnd(text, end), level: 0 }
}

function paragraphEnd(text: string, firstEnd: number): number {
  let end = firstEnd
  while (end < text.length) {
    const next = end + 1
    const isOther =
      matchAt(blank, text, next) ??
      matchAt(heading, text, next) ??
      matchAt(item, text, next) ??
      matchAt(fence, text, next)
    if (isOther) return end
    const nextEnd = lineEnd(text, next)
    if (isTableAt(text, next, nextEnd)) return end
    end = nextEnd
  }
  return end
}

function underlineAt(text: string, at: number): 1 | 2 | undefined {
  const line = at < text.length ? matchAt(underline, text, at) : null
  if (!line) return undefined
  return line[1]?.startsWith('=') ? 1 : 2
}

/** The end of the code block that begins here; the end of the text if it is not closed. */
function fenceAt(text: string, start: number): number | undefined {
  const opening = matchAt(fence, text, start)
  const marks = opening?.[1]
  if (!marks || (marks.startsWith('`') && opening[2]?.includes('`'))) return undefined
  let end = lineEnd(text, start)
  while (end < text.length) {
    const next = end + 1
    end = lineEnd(text, next)
    const closing = matchAt(fence, text, next)
    if (closing?.[1]?.startsWith(marks) && closing[2]?.trim() === '') return end
  }
  return end
}

function isTableAt(text: string, start: number, end: number): boolean {
  // The row below is checked first, because its first character mostly rules it out.
  if (end >= text.length || !isDelimiterRow(text, end + 1)) return false
  return text.slice(start, end).includes('|')
}

/** Read character by character: a pattern would be slow on a hostile line. */
function isDelimiterRow(text: string, start: number): boolean {
  let [dashes, bars] = [0, 0]
  for (let at = start; at < text.length; at++) {
    const mark = text[at]
    if (mark === '\n') break
    if (mark === '-') dashes++
    else if (mark === '|') bars++
    else if (mark !== ':' && mark !== ' ' && mark !== '\t') return false
  }
  return dashes > 0 && bars > 0
}

function tableEnd(text: string, firstEnd: number): number {
  let end = firstEnd
  while (end < text.length && !matchAt(blank, text, end + 1)) end = lineEnd(text, end + 1)
  return end
}
