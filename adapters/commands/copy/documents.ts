import { isDeepStrictEqual } from 'node:util'
import { DuplicateKey, type Store, type Write } from '#src/ports/store.ts'
import { batchesOf, collectionIn, type Document, type names } from './batches.ts'
import { clearCollection } from './clear.ts'
import { commitBatch, patiently } from './patience.ts'
import { holding, mustHold, type Held } from './record.ts'
import { NotCopied, ownFacts, type Tally } from './side.ts'

type Name = (typeof names)[number]

const idsAtOnce = 1000

/**
 * Copies the documents of a collection. Of those that a copy which was broken off has left, only what differs is
 * written again: the original may have changed since.
 * @param told after each batch
 * @throws NotCopied where one of the stores is written to meanwhile
 */
export async function collectionCopied(
  from: Store,
  to: Store,
  name: Name,
  held: Held,
  told: (tally: Tally) => void,
): Promise<Tally> {
  if (held.goesOn) {
    try {
      return await checked(from, to, name, await written(from, to, name, held, told))
    } catch (cause) {
      // What one document gave up since, another has: written one after the other they would meet.
      if (!(cause instanceof DuplicateKey)) throw cause
      await mustHold(to, held.note)
      await clearCollection(to, name)
    }
  }
  const afresh = { ...held, goesOn: false }
  return checked(from, to, name, await written(from, to, name, afresh, told))
}

async function written(
  from: Store,
  to: Store,
  name: Name,
  { note, goesOn: compares }: Held,
  told: (tally: Tally) => void,
): Promise<Tally> {
  const tally = { copied: 0, there: 0 }
  for await (const batch of batchesOf(collectionIn(from, name))) {
    const documents = name === 'meta' ? batch.filter(({ id }) => !ownFacts.includes(id)) : batch
    const ids = documents.map(({ id }) => id)
    const left = compares ? await collectionIn(to, name).find({ id: { $in: ids } }) : []
    const found = new Map(left.map((one) => [one.id, one]))
    const writes = documents.flatMap((one) => writeOf(name, one, found.get(one.id)))
    if (writes.length > 0) await commitBatch(to, [holding(note), ...writes])
    tally.copied += writes.length
    tally.there += documents.length - writes.length
    told(tally)
  }
  if (compares) {
    await mustHold(to, note)
    await withoutOthers(from, to, name, tally)
  }
  return tally
}

function writeOf(name: Name, document: Document, left: Document | undefined): Write[] {
  if (left && isDeepStrictEqual(left, document)) return []
  const write = left
    ? { in: name, update: { id: document.id }, replace: document }
    : { in: name, insert: document }
  // Each was read from the collection of this name.
  return [write as unknown as Write]
}

/** Removes what the original does not have any more. */
async function withoutOthers(from: Store, to: Store, name: Name, tally: Tally): Promise<void> {
  const [source, target] = [collectionIn(from, name), collectionIn(to, name)]
  if ((await countOf(to, name)) === tally.copied + tally.there) return
  for (let after = ''; ;) {
    const order = { sort: { id: 1 }, limit: idsAtOnce } as const
    const rows = await target.pick(['id'], { id: { $gt: after } }, order)
    const ids = rows.map(([id]) => String(id))
    const kept = await source.pick(['id'], { id: { $in: ids } })
    const wanted = new Set([
      ...kept.map(([id]) => String(id)),
      ...(name === 'meta' ? ownFacts : []),
    ])
    const gone = ids.filter((id) => !wanted.has(id))
    if (gone.length > 0) {
      await patiently(async () => {
        await target.delete({ id: { $in: gone } })
      })
    }
    if (ids.length < idsAtOnce) return
    after = ids.at(-1) ?? ''
  }
}

/** Without the facts that are a store's own. */
async function countOf(store: Store, name: Name): Promise<number> {
  const all = await collectionIn(store, name).count({})
  return name === 'meta' ? all - (await store.meta.count({ id: { $in: ownFacts } })) : all
}

async function checked(from: Store, to: Store, name: Name, tally: Tally): Promise<Tally> {
  const count = tally.copied + tally.there
  const [there, here] = [await countOf(from, name), await countOf(to, name)]
  if (there === count && here === count) return tally
  throw new NotCopied(
    `${name}: ${there} documents there, ${count} read, ${here} in the copy. ` +
      'Stop every server of both stores, and call this command again.',
  )
}
