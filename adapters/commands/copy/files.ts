import type { Files } from '#src/ports/files.ts'
import { patiently } from './patience.ts'
import { mustHold, type Held } from './record.ts'
import { idsOf, NotCopied, type Side, type Tally } from './side.ts'

/**
 * Copies every file. Those that a copy which was broken off has left whole are not written again.
 * @param told after each file
 * @throws NotCopied where one of the stores is written to meanwhile
 */
export async function filesCopied(
  from: Files,
  { store, files: to }: Side,
  { note, goesOn }: Held,
  told: (tally: Tally) => void,
): Promise<Tally> {
  const tally = { copied: 0, there: 0 }
  await mustHold(store, note)
  if (goesOn) await withoutOthers(from, to)
  for await (const id of idsOf(from)) {
    const bytes = await from.read(id)
    // Left by a crash: a file that was never complete.
    if (!bytes || bytes.length === 0) continue
    const left = goesOn ? await to.read(id) : undefined
    if (left && Buffer.compare(left, bytes) === 0) tally.there += 1
    else {
      await mustHold(store, note)
      // The remains of one that was never complete would keep it from being stored.
      if (goesOn) await patiently(() => to.delete([id]))
      await patiently(() => to.put(id, bytes))
      tally.copied += 1
    }
    told(tally)
  }
  const count = tally.copied + tally.there
  let here = 0
  for await (const _ of idsOf(to)) here += 1
  if (here !== count) throw new NotCopied(`Of ${count} files ${here} are in the copy: try again.`)
  return tally
}

/** Removes what the original does not have any more. */
async function withoutOthers(from: Files, to: Files): Promise<void> {
  for await (const id of idsOf(to)) {
    if ((await from.read(id, { start: 0, end: 1 })) === undefined) {
      await patiently(() => to.delete([id]))
    }
  }
}
