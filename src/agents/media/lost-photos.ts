import type { CharacterInput } from '../character.ts'
import type { Ports } from '#src/core/context.ts'
import type { Warning } from '#src/core/schema.ts'
import { isOfThisService, mediaIdIn } from './media.ts'
import { mediaShown, withAddresses } from './photos.ts'

/**
 * An agent as it was, without our photos that were removed since: their bytes are gone. Addresses
 * elsewhere stay.
 */
export async function withoutLostPhotos(
  { store, settings }: Pick<Ports, 'store' | 'settings'>,
  input: CharacterInput,
): Promise<{ input: CharacterInput; warnings: Warning[] }> {
  const { appearance } = input
  const shown = [...mediaShown(appearance)]
  if (!appearance || shown.length === 0) return { input, warnings: [] }
  const there = await store.media.text({ id: { $in: shown } })
  const known = new Set(there.map(({ id }) => id))
  const isLost = (url: string): boolean =>
    isOfThisService(url, settings.publicUrl) && !known.has(mediaIdIn(url) ?? '')
  const lost = [...appearance.photos, appearance.avatar_url ?? ''].filter(isLost)
  if (lost.length === 0) return { input, warnings: [] }
  const moved = (url: string): string | null => (isLost(url) ? null : url)
  const pointer = '/appearance/photos'
  const message = 'A photo that was removed since then was left out.'
  return {
    input: { ...input, appearance: withAddresses(appearance, moved) },
    warnings: [...new Set(lost)].map(() => ({ code: 'photo_lost', pointer, message })),
  }
}
