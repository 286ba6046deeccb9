import type { Appearance } from '../appearance.ts'
import type { Ports } from '#src/core/context.ts'
import { abandoned, keptBytes, type KeptMedia, type MediaOwner } from './store-picture.ts'
import { mediaIdIn } from './media.ts'
import { mediaShown, withAddresses } from './photos.ts'

/** An appearance for another agent: our pictures in it are copies, to be committed with it. */
export interface CopiedPhotos {
  appearance: Appearance | null
  kept: KeptMedia[]
}

/**
 * Copies the pictures of an agent for another one, because a picture is deleted with its agent.
 * Addresses elsewhere stay; pictures that are gone are left out. If the commit fails, `abandoned`
 * removes the copies.
 * @param from the agent that owns the pictures: those of others stay addresses
 * @throws Unavailable
 */
export async function copiedPhotos(
  ports: Pick<Ports, 'store' | 'files' | 'clock' | 'settings'>,
  from: { id: string; appearance: Appearance | null },
  to: MediaOwner,
): Promise<CopiedPhotos> {
  const { id: charId, appearance } = from
  if (!appearance) return { appearance, kept: [] }
  const shown = [...mediaShown(appearance)]
  const own = await ports.store.media.find({ char_id: charId, id: { $in: shown } })
  const kept: KeptMedia[] = []
  const copies = new Map<string, string | null>()
  try {
    for (const { id, media_type: mediaType, width, height, sha256 } of own) {
      const bytes = await ports.files.read(id)
      if (!bytes) {
        copies.set(id, null)
        continue
      }
      const copy = await keptBytes(ports, { bytes, mediaType, width, height, sha256 }, to)
      kept.push(copy)
      copies.set(id, copy.url)
    }
  } catch (cause) {
    await abandoned(ports, kept, undefined)
    throw cause
  }
  const moved = (url: string): string | null => {
    const copy = copies.get(mediaIdIn(url) ?? '')
    return copy === undefined ? url : copy
  }
  return { appearance: withAddresses(appearance, moved), kept }
}
