import { copyId } from '#adapters/compose/master-key.ts'
import { batchesOf, collectionIn, names } from './batches.ts'
import { patiently } from './patience.ts'
import { idsOf, NotCopied, type Side } from './side.ts'

/** @throws NotCopied */
export async function mustBeEmpty({ store, files }: Side): Promise<void> {
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

/** The copy's record stays until the copy is complete. */
export async function clearSide({ store, files }: Side): Promise<void> {
  for (const name of names) await clearCollection(store, name)
  for await (const id of idsOf(files)) await patiently(() => files.delete([id]))
}

/** In batches, because no store can delete everything at once. */
export async function clearCollection(
  store: Side['store'],
  name: (typeof names)[number],
): Promise<void> {
  const collection = collectionIn(store, name)
  for await (const batch of batchesOf(collection)) {
    const ids = batch.map(({ id }) => id).filter((id) => name !== 'meta' || id !== copyId)
    await patiently(async () => {
      await collection.delete({ id: { $in: ids } })
    })
  }
}
