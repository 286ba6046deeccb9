import { lineEnd, markdownBlocks, plainBlocks, type Block } from './blocks.ts'
import { cuts, most, wished } from './cuts.ts'

/** The smallest part of a chunk, never longer than a chunk may be. */
export interface Unit {
  start: number
  end: number
  /** How good it is to begin a chunk here: 0 heading, 1 paragraph, 2 list item, 3 inside one. */
  rank: number
  /** The heading's level; else 0. */
  level: number
  /** The header repeated by every chunk that begins with this table row; else null. */
  header: string | null
}

/** A header that would fill its chunks is not repeated. */
const headerAtMost = 800

/** The units of a text, in order; only blanks stand between them. */
export function* unitsOf(text: string, markup: 'markdown' | 'plain'): Generator<Unit> {
  let isInList = false
  for (const block of markup === 'markdown' ? markdownBlocks(text) : plainBlocks(text)) {
    const isItem = block.kind === 'item'
    const rank = block.kind === 'heading' ? 0 : isItem && isInList ? 2 : 1
    isInList = isItem
    yield* unitsOfBlock(text, block, rank)
  }
}

function* unitsOfBlock(text: string, block: Block, rank: number): Generator<Unit> {
  const { start, end, level } = block
  const isWhole = block.kind === 'fence' || block.kind === 'table'
  if (end - start <= (isWhole ? most : wished)) {
    yield { start, end, rank, level, header: null }
  } else if (block.kind === 'table') {
    yield* rowsOf(text, block, rank)
  } else {
    let first = rank
    for (const piece of cuts(text, start, end, block.kind === 'fence')) {
      yield { ...piece, rank: first, level: 0, header: null }
      first = 3
    }
  }
}

function* rowsOf(text: string, { start, end }: Block, rank: number): Generator<Unit> {
  const headerEnd = lineEnd(text, lineEnd(text, start) + 1)
  const header = headerEnd - start <= headerAtMost ? text.slice(start, headerEnd) : null
  let first = rank
  for (let at = start; at < end;) {
    const rowEnd = at === start && header !== null ? headerEnd : Math.min(lineEnd(text, at), end)
    const fits = rowEnd - at + (header?.length ?? 0) < most
    for (const piece of fits ? [{ start: at, end: rowEnd }] : cuts(text, at, rowEnd, false)) {
      const repeated = fits && at !== start ? header : null
      yield { ...piece, rank: first, level: 0, header: repeated }
      first = 3
    }
    at = rowEnd + 1
  }
}
