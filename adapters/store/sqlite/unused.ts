import type { Engine } from './engine.ts'

/** Pages that a commit gives back: to move as many of the end of the file into their place takes milliseconds. */
const pagesAtOnce = 32
/** Pages that are kept for what is written next: 8 MiB, */
const keptAtLeast = 1024
/** or this part of a larger file. */
const keptPart = 8

/**
 * Gives pages that nothing uses any more back to the file system; the file itself becomes shorter when the log is
 * copied into it. A file that an older version made keeps them for what is written next.
 * @returns whether there are more
 */
export async function giveBack(engine: Engine): Promise<boolean> {
  const spare = sparePages(engine)
  if (spare === 0) return false
  const count = Math.min(spare, pagesAtOnce)
  await engine.write(() => engine.statement(`PRAGMA incremental_vacuum(${count})`).all())
  const left = sparePages(engine)
  return left > 0 && left < spare
}

function sparePages(engine: Engine): number {
  const unused = numberOf(engine, 'freelist_count')
  const kept = Math.max(keptAtLeast, Math.floor(numberOf(engine, 'page_count') / keptPart))
  return Math.max(0, unused - kept)
}

function numberOf(engine: Engine, name: string): number {
  const [row] = engine.statement(`PRAGMA ${name}`).all() as unknown as number[][]
  return row?.[0] ?? 0
}
