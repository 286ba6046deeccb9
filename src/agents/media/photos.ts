import * as z from 'zod'
import { Appearance, type PhotoMeta } from '../appearance.ts'
import { refuse } from '#src/core/errors.ts'
import { mediaIdIn } from './media.ts'

/** Photos that an agent can have. */
export const photosAtMost = 50

/** Input that selects a photo of an agent. */
export const photoPlace = {
  char_id: z.string().max(128),
  index: z.int().min(0).describe('Position in appearance.photos, from 0'),
}

/** @throws Refusal `photo_limit_reached` if the agent has the maximum number of photos */
export function checkRoom(appearance: Appearance | null): void {
  if ((appearance?.photos.length ?? 0) < photosAtMost) return
  refuse('photo_limit_reached', `An agent has at most ${photosAtMost} photos.`, {
    hint: 'Remove one first: <characters.photos.remove>.',
  })
}

/**
 * With one more photo, at the end.
 * @throws Refusal `photo_limit_reached`
 */
export function withPhoto(appearance: Appearance | null, meta: PhotoMeta): Appearance {
  checkRoom(appearance)
  const whole = appearance ?? Appearance.parse({})
  const photos = [...whole.photos, meta.url]
  return { ...whole, photos, photo_meta: [...parallel(whole), meta] }
}

/**
 * With the photo at this position as the avatar.
 * @throws Refusal `photo_not_found`
 */
export function withAvatar(appearance: Appearance | null, index: number): Appearance {
  const { whole, url } = photoAt(appearance, index)
  return { ...whole, photo_meta: parallel(whole), avatar_url: url }
}

/**
 * Without the photo at this position, which also stops being the avatar.
 * @throws Refusal `photo_not_found`
 */
export function withoutPhoto(
  appearance: Appearance | null,
  index: number,
): { appearance: Appearance; url: string } {
  const { whole, url } = photoAt(appearance, index)
  const photos = whole.photos.toSpliced(index, 1)
  const isAvatar = whole.avatar_url === url && !photos.includes(url)
  return {
    appearance: {
      ...whole,
      photos,
      photo_meta: parallel(whole).toSpliced(index, 1),
      avatar_url: isAvatar ? null : whole.avatar_url,
    },
    url,
  }
}

/** The ids of our pictures that an appearance may show. */
export function mediaShown(appearance: Appearance | null): Set<string> {
  const urls = [...(appearance?.photos ?? []), appearance?.avatar_url ?? '']
  return new Set(urls.map(mediaIdIn).filter((id) => id !== undefined))
}

/** The same with all addresses replaced; those for which `moved` returns null are left out. */
export function withAddresses(
  appearance: Appearance,
  moved: (url: string) => string | null,
): Appearance {
  const metas = parallel(appearance)
  const kept = appearance.photos.flatMap((url, i): { url: string; meta: PhotoMeta }[] => {
    const [next, meta] = [moved(url), metas[i] ?? blank(url)]
    if (next === null) return []
    return [{ url: next, meta: meta.url === url ? { ...meta, url: next } : meta }]
  })
  const avatar = appearance.avatar_url
  return {
    ...appearance,
    photos: kept.map(({ url }) => url),
    photo_meta: kept.map(({ meta }) => meta),
    avatar_url: avatar === null ? null : moved(avatar),
  }
}

function photoAt(appearance: Appearance | null, index: number): { whole: Appearance; url: string } {
  const url = appearance?.photos[index]
  if (appearance && url !== undefined) return { whole: appearance, url }
  const count = appearance?.photos.length ?? 0
  return refuse('photo_not_found', `There is no photo ${index}: the agent has ${count}.`, {
    hint: 'Positions begin at 0.',
  })
}

/** Exactly one per photo: callers may have sent fewer or more. */
function parallel({ photos, photo_meta: metas }: Appearance): PhotoMeta[] {
  return photos.map((url, i) => metas[i] ?? blank(url))
}

function blank(url: string): PhotoMeta {
  return { url, prompt: '', model: '', provider: '', source: '', seed: null, created_at: null }
}
