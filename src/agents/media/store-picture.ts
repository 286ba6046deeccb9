import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import { ImageFailure, type Picture } from '#src/ports/images.ts'
import type { Pieces } from '#src/ports/pieces.ts'
import { Unavailable, type Write } from '#src/ports/store.ts'
import { mediaUrl, type Media } from './media.ts'

/** The owner of a picture. */
export interface MediaOwner {
  charId: string
  ownerId: string
}

/** A picture whose bytes are stored, and whose record the commit of its agent has to write. */
export interface KeptMedia {
  media: Media
  url: string
  /** For the commit that refers to the picture; `bytes` is the growth of the account. */
  write: Write
  bytes: number
}

type Keeping = Pick<Ports, 'files' | 'clock' | 'settings'>

/**
 * Makes a picture safe to show and stores its bytes. The result is for a commit; if that fails,
 * `abandoned` removes the bytes.
 * @param pieces its bytes, which are not the caller's afterwards
 * @param pointer where in the input the picture came from
 * @throws Refusal `invalid_input` for anything but an acceptable picture
 */
export async function keptPicture(
  ports: Keeping & Pick<Ports, 'images'>,
  pieces: Pieces,
  owner: MediaOwner,
  pointer = '/file',
): Promise<KeptMedia> {
  const picture = await ports.images.made(pieces, owner.ownerId).catch((cause: unknown) => {
    if (!(cause instanceof ImageFailure)) throw cause
    return refuse('invalid_input', `The photo cannot be used: ${cause.message}.`, {
      errors: [{ pointer, message: cause.message, code: cause.fault }],
      hint: 'Send a JPEG, PNG, WebP or GIF of at most 25 megapixels and 16,384 pixels a side.',
      cause,
    })
  })
  return keptBytes(ports, picture, owner)
}

/** The same for a picture that is already safe. @throws Unavailable */
export async function keptBytes(
  { files, clock, settings }: Keeping,
  { bytes, mediaType, width, height, sha256 }: Picture,
  { charId, ownerId }: MediaOwner,
): Promise<KeptMedia> {
  const media: Media = {
    id: newId('med'),
    char_id: charId,
    owner_id: ownerId,
    bytes: bytes.length,
    media_type: mediaType,
    width,
    height,
    sha256,
    created_at: timestamp(clock.now()),
  }
  await files.put(media.id, bytes)
  return {
    media,
    url: mediaUrl(settings.publicUrl, media.id),
    write: { in: 'media', insert: media },
    bytes: mediaBytes([media]),
  }
}

/** What pictures count towards the stored bytes of their account. */
export function mediaBytes(all: readonly Media[]): number {
  return all.reduce((sum, media) => sum + media.bytes + sizeOf(media), 0)
}

/**
 * Deletes the bytes of pictures without a committed record. Those that this misses are purged later.
 */
export async function forgotten({ files }: Pick<Ports, 'files'>, ids: string[]): Promise<void> {
  if (ids.length > 0) await files.delete(ids).catch(() => undefined)
}

/**
 * After a failed commit that was to record pictures: deletes their bytes, unless the commit may have
 * succeeded after all.
 */
export async function abandoned(
  ports: Pick<Ports, 'files'>,
  kept: readonly KeptMedia[],
  cause: unknown,
): Promise<void> {
  if (cause instanceof Unavailable) return
  await forgotten(
    ports,
    kept.map(({ media }) => media.id),
  )
}
