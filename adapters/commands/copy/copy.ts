import { names } from './batches.ts'
import { clearSide, mustBeEmpty } from './clear.ts'
import { collectionCopied } from './documents.ts'
import { filesCopied } from './files.ts'
import { commitBatch } from './patience.ts'
import { beginCopy, completionWrites, copyIn, type Origin } from './record.ts'
import { NotCopied, type Side, type Tally } from './side.ts'

export interface Terms extends Origin {
  /** Puts the key where the next start on the copy looks for it. */
  keep: () => Promise<void>
  /** Tells a person what is done. */
  say: (line: string) => void
  /** Tells how far it is, often. */
  told?: (line: string) => void
}

/** What a copy came to. */
export interface Copied {
  documents: Tally
  files: Tally
}

/**
 * Copies every document and every file into an empty store. No server can start on the copy until it is complete. Into
 * one that was broken off only what is missing is written, or has changed since.
 * @throws NotCopied, Unavailable
 */
export async function copyStore(from: Side, to: Side, terms: Terms): Promise<Copied> {
  const { check, keep, say, told = () => undefined } = terms
  if ((await copyIn(from.store)).state !== 'none') {
    throw new NotCopied('What is to be copied is itself a copy that was broken off: end that one.')
  }
  const goesOn = await isBegun(to, terms)
  const documents = { copied: 0, there: 0 }
  for (const name of names) {
    const { copied, there } = await collectionCopied(
      from.store,
      to.store,
      name,
      goesOn,
      (tally) => {
        told(
          `${documents.copied + documents.there + tally.copied + tally.there} documents, in ${name}`,
        )
      },
    )
    documents.copied += copied
    documents.there += there
  }
  const files = await filesCopied(from.files, to.files, goesOn, (tally) => {
    told(`${documents.copied + documents.there} documents, ${tally.copied + tally.there} files`)
  })
  await keep()
  await commitBatch(to.store, completionWrites(check))
  const before = goesOn ? `; ${documents.there} and ${files.there} were there` : ''
  say(`Copied ${documents.copied} documents and ${files.copied} files${before}.`)
  return { documents, files }
}

/** Begins the copy, and says whether a part of it is there. @throws NotCopied */
async function isBegun(to: Side, { check, from, say }: Terms): Promise<boolean> {
  const begun = await copyIn(to.store)
  if (begun.state === 'begun') {
    if (begun.check !== check || begun.from !== from) {
      const what = begun.check === check ? begun.from : 'another store'
      throw new NotCopied(
        `A copy of ${what} was broken off there: end that one, or name a place where no server has been.`,
      )
    }
    say('Going on with the copy that was broken off.')
    return true
  }
  if (begun.state === 'unknown') {
    say('Removing what an interrupted copy has left.')
    await clearSide(to)
  } else await mustBeEmpty(to)
  await beginCopy(to.store, { check, from })
  return false
}
