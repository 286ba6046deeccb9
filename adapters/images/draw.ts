import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { fileTypeFromBuffer } from 'file-type'
import { ImageFailure, type Picture } from '#src/ports/images.ts'
import { tooSlow } from './too-slow.ts'

/** The pixel limit of a picture: decoded it takes four bytes for each. */
const pixelsAtMost = 25_000_000
/** The declared size is checked before anything else is read. */
const sideAtMost = 16_384
/** The limit of WebP. */
const keptSideAtMost = 16_383
/** libvips stops after this time, where it checks; the event loop ends the thread otherwise. */
const secondsAtMost = 8
/** More effort takes twice the time and saves little. */
const form = { quality: 82, effort: 2 }

const taken: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
])
/** libvips opens no other formats, even if a file claims to be one. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`)

sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })

/** The first frame of an animation is kept. @throws ImageFailure */
export async function made(bytes: Uint8Array): Promise<Picture> {
  await checkType(bytes)
  return redrawn(bytes)
}

async function checkType(bytes: Uint8Array): Promise<void> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found && taken.has(found.mime)) return
  throw new ImageFailure('type_unsupported', 'the content is no JPEG, PNG, WebP or GIF')
}

async function redrawn(bytes: Uint8Array): Promise<Picture> {
  const source = { limitInputPixels: pixelsAtMost, failOn: 'error' } as const
  try {
    const { width, height } = await sharp(bytes, source).metadata()
    if (Math.max(width, height) > sideAtMost) {
      throw new ImageFailure('side_too_long', `a side has at most ${sideAtMost} pixels`)
    }
    if (width * height > pixelsAtMost) throw tooManyPixels()
    const { data, info } = await sharp(bytes, source)
      .rotate()
      .resize({
        width: keptSideAtMost,
        height: keptSideAtMost,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .webp(form)
      .timeout({ seconds: secondsAtMost })
      .toBuffer({ resolveWithObject: true })
    const sha256 = createHash('sha256').update(data).digest('hex')
    const { width: w, height: h } = info
    return { bytes: data, mediaType: 'image/webp', width: w, height: h, sha256 }
  } catch (cause) {
    if (cause instanceof ImageFailure) throw cause
    if (/pixel limit/i.test(String(cause))) throw tooManyPixels()
    if (/^timeout\b/i.test(cause instanceof Error ? cause.message : '')) throw tooSlow(cause)
    throw new ImageFailure('broken', 'the picture cannot be read to its end', { cause })
  }
}

function tooManyPixels(): ImageFailure {
  return new ImageFailure('too_many_pixels', `a picture has at most ${pixelsAtMost} pixels`)
}
