const fenceLine = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})(.*)$/s
const closingLine = /^[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})[ \t]*$/
/** Put in place of code: it ends a word, and belongs to no script. */
const gap = ' '

/** The text without its fenced code blocks and code spans; a fence that stays open takes the rest. */
export function withoutCode(text: string): string {
  if (!text.includes('`') && !text.includes('~~~')) return text
  const paragraphs: string[] = []
  let lines: string[] = []
  let fence: string | undefined
  const endParagraph = (): void => {
    if (lines.length > 0) paragraphs.push(withoutSpans(lines.join('\n')))
    lines = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined
      continue
    }
    fence = opened(line)
    if (fence === undefined) lines.push(line)
    // A code span ends with its paragraph at the latest.
    if (fence !== undefined || line.trim() === '') endParagraph()
  }
  endParagraph()
  return paragraphs.join('\n')
}

function opened(line: string): string | undefined {
  const [, marks, rest = ''] = fenceLine.exec(line) ?? []
  // Backticks followed by backticks on one line are a span.
  return marks?.startsWith('`') && rest.includes('`') ? undefined : marks
}

function closes(line: string, fence: string): boolean {
  const marks = closingLine.exec(line)?.[1]
  return marks !== undefined && marks[0] === fence[0] && marks.length >= fence.length
}

/** Spans reach from one run of backticks to the next of the same length. */
function withoutSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: run }) => ({
    at: index,
    length: run.length,
  }))
  const closing = closers(runs)
  let kept = ''
  let from = 0
  for (let i = 0; i < runs.length; i++) {
    const close = closing[i]
    const end = close === undefined ? undefined : runs[close]
    const start = runs[i]
    if (close === undefined || !end || !start || isEscaped(paragraph, start.at)) continue
    kept += paragraph.slice(from, start.at) + gap
    from = end.at + end.length
    i = close
  }
  return kept + paragraph.slice(from)
}

/** For each run the next of its length, found from the end so that each is looked at once. */
function closers(runs: readonly { length: number }[]): (number | undefined)[] {
  const next = new Map<number, number>()
  const found: (number | undefined)[] = []
  for (const [i, { length }] of [...runs.entries()].toReversed()) {
    found[i] = next.get(length)
    next.set(length, i)
  }
  return found
}

function isEscaped(text: string, at: number): boolean {
  return text[at - 1] === '\\' && text[at - 2] !== '\\'
}
