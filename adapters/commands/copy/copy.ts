import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { names } from './batches.ts'
import { clearSide, mustBeEmpty } from './clear.ts'
import { collectionCopied } from './documents.ts'
import { filesCopied } from './files.ts'
import { commitBatch } from './patience.ts'
import { beginCopy, completionWrites, copyIn, type Held, type Origin } from './record.ts'
import { copiedByAnother, NotCopied, type Side, type Tally } from './side.ts'

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
  if ((await copyIn(from.store)).state !== 'none') {
    throw new NotCopied('What is to be copied is itself a copy that was broken off: end that one.')
  }
  try {
    return await copied(from, to, terms, await begun(to, terms))
  } catch (cause) {
    if (!(cause instanceof DuplicateKey || cause instanceof Unmet)) throw cause
    throw copiedByAnother(cause)
  }
}

async function copied(from: Side, to: Side, terms: Terms, held: Held): Promise<Copied> {
  const { check, keep, say, told = () => undefined } = terms
  const documents = { copied: 0, there: 0 }
  for (const name of names) {
    const { copied, there } = await collectionCopied(from.store, to.store, name, held, (tally) => {
      told(
        `${documents.copied + documents.there + tally.copied + tally.there} documents, in ${name}`,
      )
    })
    documents.copied += copied
    documents.there += there
  }
  const files = await filesCopied(from.files, to, held, (tally) => {
    told(`${documents.copied + documents.there} documents, ${tally.copied + tally.there} files`)
  })
  await keep()
  await commitBatch(to.store, completionWrites(check, held.note))
  const before = held.goesOn ? `; ${documents.there} and ${files.there} were there` : ''
  say(`Copied ${documents.copied} documents and ${files.copied} files${before}.`)
  return { documents, files }
}

/** Begins the copy, or goes on with it. @throws NotCopied */
async function begun(to: Side, { check, from, say }: Terms): Promise<Held> {
  const found = await copyIn(to.store)
  const origin = { check, from }
  if (found.state === 'begun') {
    if (found.check !== check || found.from !== from) {
      const what = found.check === check ? found.from : 'another store'
      throw new NotCopied(
        `A copy of ${what} was broken off there: end that one, or name a place where no server has been.`,
      )
    }
    const note = await beginCopy(to.store, origin, found.note)
    say('Going on with the copy that was broken off.')
    return { note, goesOn: true }
  }
  if (found.state === 'unknown') {
    const note = await beginCopy(to.store, origin, found.note)
    say('Removing what an interrupted copy has left.')
    await clearSide(to)
    return { note, goesOn: false }
  }
  await mustBeEmpty(to)
  return { note: await beginCopy(to.store, origin), goesOn: false }
}
