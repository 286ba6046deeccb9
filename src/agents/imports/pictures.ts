import { Appearance } from '../appearance.ts'
import type { CharacterInput } from '../character.ts'
import type { Context } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { copiedPhotos } from '../media/copy-photos.ts'
import { keptBytes, type KeptMedia, type MediaOwner } from '../media/store-picture.ts'
import { mediaShown } from '../media/photos.ts'
import type { Draft } from '../copies/copyist.ts'
import { ImageFailure, type Picture } from '#src/ports/images.ts'

/** The pictures of an agent that is about to be created from a file. */
export interface Pictured {
  input: CharacterInput
  report: Draft['report']
  /** For the agent's commit. */
  kept: KeptMedia[]
}

/**
 * An agent from a file, with the picture in the file as its first photo and avatar, and with copies
 * of the account's own pictures that the file names. Unusable pictures are left out with a note.
 * @throws Unavailable
 */
export async function pictured(
  context: Context<'key'>,
  { input, report, picture }: Pick<Draft, 'input' | 'report' | 'picture'>,
  to: MediaOwner,
): Promise<Pictured> {
  const made = picture ? await safe(context, picture, to.ownerId) : undefined
  if (typeof made === 'string') {
    const message = `The picture is left out: ${made}.`
    return {
      input,
      report: { ...report, notes: [...report.notes, { pointer: '', message }] },
      kept: [],
    }
  }
  const { appearance, kept } = await ownCopies(context, input.appearance, to)
  if (!made) return { input: { ...input, appearance }, report, kept }
  const photo = await keptBytes(context, made, to)
  const mapped = [...report.mapped, { from: '', to: '/appearance/photos/0' }]
  return {
    input: {
      ...input,
      appearance: withFirst(appearance, photo.url, timestamp(context.clock.now())),
    },
    report: { ...report, mapped },
    kept: [...kept, photo],
  }
}

/** The picture made safe, or why that failed. */
async function safe(
  { images }: Pick<Context, 'images'>,
  bytes: Uint8Array<ArrayBuffer>,
  ownerId: string,
): Promise<Picture | string> {
  try {
    return await images.made([bytes], ownerId)
  } catch (cause) {
    if (cause instanceof ImageFailure) return cause.message
    throw cause
  }
}

/** A picture is deleted with its agent, so the new agent gets copies. */
async function ownCopies(
  context: Context<'key'>,
  appearance: Appearance | null,
  to: MediaOwner,
): Promise<{ appearance: Appearance | null; kept: KeptMedia[] }> {
  const shown = [...mediaShown(appearance)]
  if (shown.length === 0) return { appearance, kept: [] }
  const own = await context.store.media.find({ id: { $in: shown }, owner_id: to.ownerId })
  const kept: KeptMedia[] = []
  let moved = appearance
  for (const id of new Set(own.map((media) => media.char_id))) {
    const copied = await copiedPhotos(context, { id, appearance: moved }, to)
    moved = copied.appearance
    kept.push(...copied.kept)
  }
  return { appearance: moved, kept }
}

function withFirst(appearance: Appearance | null, url: string, created_at: string): Appearance {
  const whole = appearance ?? Appearance.parse({})
  const meta = {
    url,
    prompt: '',
    model: '',
    provider: '',
    source: 'import',
    seed: null,
    created_at,
  }
  // The metadata of photos is a parallel list, which may be shorter.
  const metas = whole.photos.map(
    (photo, i) => whole.photo_meta[i] ?? { ...meta, url: photo, source: '', created_at: null },
  )
  return {
    ...whole,
    avatar_url: url,
    photos: [url, ...whole.photos],
    photo_meta: [meta, ...metas],
  }
}
