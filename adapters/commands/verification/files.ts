import { createHash } from 'node:crypto'
import type { Media } from '#src/agents/media/media.ts'
import type { Fault, Verifying } from './fault.ts'
import { batchesOf, collectionIn } from '../copy/batches.ts'

/** Pictures whose file is missing, or holds other bytes than those that were stored. */
export async function* brokenFiles(verifying: Verifying): AsyncGenerator<Fault> {
  const { store, looked } = verifying
  for await (const batch of batchesOf(collectionIn(store, 'media'))) {
    for (const { id } of batch) {
      const fault = await faultOf(verifying, id)
      // One that was deleted since needs no file.
      if (fault !== undefined && (await store.media.get(id))) {
        yield { at: `media ${id}`, fault }
      }
    }
    looked(batch.length)
  }
}

async function faultOf({ store, files }: Verifying, id: string): Promise<string | undefined> {
  const media: Media | undefined = await store.media.get(id)
  if (!media) return undefined
  const bytes = await files.read(id)
  if (!bytes) return 'its file is missing'
  const digest = createHash('sha256').update(bytes).digest('hex')
  return digest === media.sha256 ? undefined : 'its file holds other bytes than were stored'
}
