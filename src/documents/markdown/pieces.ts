/** A part of a Markdown text that can be read by itself. */
interface Piece {
  text: string
  /** False for what would take too long to read, or make too long a page. */
  isReadable: boolean
}

/** From so many characters on, a text is parted where a block ends. */
const wantedAtMost = 1_500
/** What has no end until here is shown as it was written, unless it is code. */
const readAtMost = 4_000
/** Of a table, with those that the library adds where a row is short. */
const cellsAtMost = 2_000

/**
 * The parts of a text, each short enough to be read at once. A short text is one; a longer one is parted at empty lines
 * before lines that are not indented, and around its code.
 */
export function* piecesOf(markdown: string): Generator<Piece> {
  if (markdown.length <= wantedAtMost) {
    yield pieceOf(markdown)
    return
  }
  let lines: string[] = []
  let size = 0
  let code: string | undefined
  let isAfterEmpty = false
  const taken = (): Piece => {
    const piece = pieceOf(lines.join('\n'))
    lines = []
    size = 0
    return piece
  }
  for (const line of markdown.split('\n')) {
    const fence = fenceOf(line)
    const isOpening = code === undefined && fence !== undefined
    const isParted = code === undefined && isAfterEmpty && size >= wantedAtMost && /^\S/.test(line)
    if (lines.length > 0 && (isParted || isOpening)) yield taken()
    lines.push(line)
    size += line.length + 1
    isAfterEmpty = line.trim() === ''
    if (isOpening) code = fence
    else if (code !== undefined && closes(line, code)) {
      code = undefined
      yield taken()
    }
  }
  if (lines.length > 0) yield taken()
}

function pieceOf(text: string): Piece {
  return { text, isReadable: isShort(text) && hasFewCells(text) }
}

/** Code alone takes no time, however long it is. */
function isShort(text: string): boolean {
  return text.length <= readAtMost || fenceOf(text) !== undefined
}

function hasFewCells(text: string): boolean {
  if (!text.includes('|') || fenceOf(text) !== undefined) return true
  const lines = text.split('\n')
  const widest = Math.max(...lines.map((line) => line.split('|').length))
  return widest * lines.length <= cellsAtMost
}

/** The marks that open code at the very beginning of a line. */
function fenceOf(line: string): string | undefined {
  return /^(?:`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/.exec(line)?.[0]
}

/** Whether the line ends code that these marks have opened. */
function closes(line: string, marks: string): boolean {
  const bare = line.trim()
  return bare.length >= marks.length && bare === marks.charAt(0).repeat(bare.length)
}
