/** A mutant, told by what it changes, so that lines may move. */
export interface Change {
  /** The first line of what is changed. */
  readonly line: string
  /** What stood there, its blanks as one and cut short. */
  readonly was: string
  readonly becomes: string
}

/** Mutants of one file that no test can tell from the code, or need not. */
export interface Equivalents {
  readonly file: string
  readonly why: string
  readonly changes: readonly Change[]
}

/**
 * A mutant in the words of the list.
 * @param text the file that it was made of
 * @param span where it stands; lines and columns begin at 1
 */
export function changeOf(
  text: string,
  { start, end }: { start: Place; end: Place },
  replacement: string,
): Change {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  const line = (lines[0] ?? '').trim()
  const cut = [...lines]
  cut[cut.length - 1] = (cut.at(-1) ?? '').slice(0, end.column - 1)
  cut[0] = (cut[0] ?? '').slice(start.column - 1)
  return { line, was: shortened(cut.join(' ')), becomes: shortened(replacement) }
}

interface Place {
  line: number
  column: number
}

function shortened(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

export function isSame(one: Change, other: Change): boolean {
  return one.line === other.line && one.was === other.was && one.becomes === other.becomes
}
