import { setTimeout as sleep } from 'node:timers/promises'
import type { Files } from '#src/ports/files.ts'
import { DuplicateKey, Unavailable, type Store, type Write } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'
import { batchesOf, collectionIn, names } from './batches.ts'
import { beginCopy, completionWrites, wasBrokenOff } from './record.ts'

/** Everything that a server keeps. */
export interface Side {
  store: Store
  files: Files
}

/** The copy would differ from the original, or the target is not empty. */
export class NotCopied extends Error {
  override readonly name = 'NotCopied'
}

export interface Terms {
  /** The check of the master key, the same for both stores. */
  check: string
  /** Puts the key where the next start on the copy looks for it. */
  keep: () => Promise<void>
  say: (line: string) => void
}

/** Facts that a store keeps about itself, which are not copied. */
const ownFacts = [checkId, copyId]
const filesAtOnce = 100

/**
 * Copies every document and every file into an empty store. No server can start on the copy until it is
 * complete; what an interrupted copy has left there is removed, and everything is copied again.
 * @throws NotCopied, Unavailable
 */
export async function copyStore(from: Side, to: Side, { check, keep, say }: Terms): Promise<void> {
  if (await wasBrokenOff(from.store)) {
    throw new NotCopied('What is to be copied is itself a copy that was broken off: end that one.')
  }
  if (await wasBrokenOff(to.store)) {
    say('Removing what an interrupted copy has left.')
    await clearSide(to)
  } else {
    await mustBeEmpty(to)
    await beginCopy(to.store)
  }
  let documents = 0
  for (const name of names) documents += await collectionCopied(from.store, to.store, name)
  const files = await filesCopied(from.files, to.files)
  await keep()
  await commitBatch(to.store, completionWrites(check))
  say(`Copied ${documents} documents and ${files} files.`)
}

type Name = (typeof names)[number]

async function collectionCopied(from: Store, to: Store, name: Name): Promise<number> {
  const [source, target] = [collectionIn(from, name), collectionIn(to, name)]
  let count = 0
  for await (const batch of batchesOf(source)) {
    const documents = name === 'meta' ? batch.filter(({ id }) => !ownFacts.includes(id)) : batch
    // Each was read from the collection of this name.
    const writes = documents.map((insert) => ({ in: name, insert }) as unknown as Write)
    await commitBatch(to, writes)
    count += documents.length
  }
  const own = (store: Store) =>
    name === 'meta' ? store.meta.count({ id: { $in: ownFacts } }) : Promise.resolve(0)
  const there = (await source.count({})) - (await own(from))
  const here = (await target.count({})) - (await own(to))
  if (there === count && here === count) return count
  throw new NotCopied(
    `${name}: ${there} documents there, ${count} read, ${here} in the copy. ` +
      'Stop every server of both stores, and call this command again.',
  )
}

/** A batch is written completely or not at all, so it can be retried. */
async function commitBatch(to: Store, writes: readonly Write[]): Promise<void> {
  await patiently(async (isFirst) => {
    try {
      await to.commit(writes)
    } catch (cause) {
      // The previous attempt took effect, but its answer was lost.
      if (isFirst || !(cause instanceof DuplicateKey)) throw cause
    }
  })
}

// After a process is killed, the database takes a minute to give up its transaction.
const pausesMs = [200, 1000, 5000, 15_000, 45_000]

/** Retries when the store was unavailable. */
async function patiently(work: (isFirst: boolean) => Promise<void>): Promise<void> {
  for (const [tries, pause] of pausesMs.entries()) {
    try {
      await work(tries === 0)
      return
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause
      await sleep(pause)
    }
  }
  await work(false)
}

async function filesCopied(from: Files, to: Files): Promise<number> {
  let count = 0
  for await (const id of idsOf(from)) {
    const bytes = await from.read(id)
    // Left by a crash: a file that was never complete.
    if (!bytes || bytes.length === 0) continue
    await patiently(() => to.put(id, bytes))
    count += 1
  }
  let here = 0
  for await (const _ of idsOf(to)) here += 1
  if (here !== count) throw new NotCopied(`Of ${count} files ${here} are in the copy: try again.`)
  return count
}

/** The ids of all files, regardless of age. */
async function* idsOf(files: Files): AsyncGenerator<string> {
  const later = new Date(Date.now() + 86_400_000)
  let after = ''
  for (;;) {
    const ids = await files.keptBefore(later, after, filesAtOnce)
    yield* ids
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

async function mustBeEmpty({ store, files }: Side): Promise<void> {
  for (const name of names) {
    const count = await collectionIn(store, name).count({})
    if (count === 0) continue
    throw new NotCopied(
      `The place for the copy is not empty: ${name} holds ${count}. Name a place where no server has been.`,
    )
  }
  for await (const _ of idsOf(files)) {
    throw new NotCopied('The place for the copy is not empty: there are files.')
  }
}

/**
 * In batches, because no store can delete everything at once. The copy's record stays until the copy is
 * complete.
 */
async function clearSide({ store, files }: Side): Promise<void> {
  for (const name of names) {
    const collection = collectionIn(store, name)
    for await (const batch of batchesOf(collection)) {
      const ids = batch.map(({ id }) => id).filter((id) => name !== 'meta' || id !== copyId)
      await patiently(async () => {
        await collection.delete({ id: { $in: ids } })
      })
    }
  }
  for await (const id of idsOf(files)) await patiently(() => files.delete([id]))
}
