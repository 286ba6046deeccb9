import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openImages } from '#adapters/images/images.ts'
import { ImageFailure, type Picture } from '#src/ports/images.ts'
import { pictureOf } from '#tests/attack/payloads.ts'
import { picture } from '#tests/support/pictures.ts'

const images = openImages()
/** A copy is handed on, since these tests use their pictures several times. */
const made = (bytes: Uint8Array, account?: string): Promise<Picture> =>
  images.made([Uint8Array.from(bytes)], account)
const fault = async (bytes: Uint8Array): Promise<string> => {
  const cause: unknown = await made(bytes).catch((caught: unknown) => caught)
  if (!(cause instanceof ImageFailure)) throw new Error('no fault of a picture', { cause })
  return cause.fault
}
const formats = ['png', 'jpeg', 'webp', 'gif'] as const

describe('pictures', () => {
  it.each(formats)('of type %s become WebP of the same size', async (format) => {
    const kept = await made(await picture(format, { width: 37, height: 21 }))
    expect(kept).toMatchObject({ mediaType: 'image/webp', width: 37, height: 21 })
    expect(await sharp(kept.bytes).metadata()).toMatchObject({ format: 'webp', width: 37 })
  })

  it('are turned upright, and lose all that is no pixel', async () => {
    const sent = await sharp(await picture('jpeg', { width: 40, height: 20 }))
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'a secret place' } } })
      .toBuffer()
    expect(sent.includes('a secret place')).toBe(true)
    const { bytes, width, height } = await made(sent)
    expect([width, height]).toEqual([20, 40])
    expect(Buffer.from(bytes).includes('a secret place')).toBe(false)
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata()
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
  })

  it('are taken in pieces, which are handed on', async () => {
    const whole = await picture('png', { width: 37, height: 21 })
    const own = Uint8Array.from(whole)
    // The first two are of one buffer, and the last is of one that Node shares between small ones.
    const pieces = [own.subarray(0, 9), own.subarray(9, 20), Buffer.from(whole.subarray(20))]
    expect(await images.made(pieces)).toMatchObject({ width: 37, height: 21 })
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, whole.length - 20])
  })

  it('keep what is see-through', async () => {
    const sent = await sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const { bytes } = await made(sent)
    expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('that move stand still at their first frame', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((colour) => picture('png', { colour })),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect((await sharp(moving, { pages: -1 }).metadata()).pages).toBe(3)
    const { bytes, height } = await made(moving)
    expect(height).toBe(12)
    expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    expect(data[0]).toBeGreaterThan(200)
  })

  it('that are longer than WebP can be are made smaller', async () => {
    const kept = await made(await picture('png', { width: 16_384, height: 20 }))
    expect(kept).toMatchObject({ width: 16_383, height: 20 })
  })

  it('with a side that is too long are refused by what they say of themselves', async () => {
    expect(await fault(pictureOf(24_000_000, 1))).toBe('side_too_long')
    expect(await fault(pictureOf(1, 24_000_000))).toBe('side_too_long')
    expect(await fault(await picture('png', { width: 16_385, height: 1 }))).toBe('side_too_long')
  })

  it('are made for the accounts in turn, even where one sent more', async () => {
    const small = await picture()
    const done: string[] = []
    const sent = ['a', 'a', 'a', 'b', 'c'].map((account) =>
      made(small, account).then(() => done.push(account)),
    )
    await Promise.all(sent)
    // The first was begun at once, before anybody else had come.
    expect(done.join('')).toBe('aabca')
  })

  it('wait in a bounded line, of one account and of all', async () => {
    const small = await picture()
    const ofOne = Array.from({ length: 20 }, () => made(small, 'one'))
    const outcomes = await Promise.allSettled(ofOne)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
    expect(outcomes[16]).toMatchObject({ reason: { code: 'rate_limited', retryAfterSeconds: 2 } })
    const ofMany = Array.from({ length: 70 }, (_, i) => made(small, `account ${i}`))
    const all = await Promise.allSettled(ofMany)
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(64)
    expect(all[69]).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 2 } })
  })

  it.each(formats)('of type %s that end early are broken', async (format) => {
    const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * 7919) % 251))
    const raw = { width: 64, height: 64, channels: 3 } as const
    const whole = await sharp(noise, { raw }).toFormat(format).toBuffer()
    expect(await fault(whole.subarray(0, Math.floor(whole.length / 2)))).toBe('broken')
    expect(await fault(whole.subarray(0, 40))).toMatch(/^(broken|type_unsupported)$/)
  })

  it('of one byte or none are refused', async () => {
    expect(await fault(Buffer.from([0x89]))).toBe('type_unsupported')
    expect(await fault(Buffer.alloc(0))).toBe('type_unsupported')
  })

  it('of too many pixels are refused by what they say of themselves', async () => {
    expect(await fault(pictureOf(60_000, 60_000))).toBe('too_many_pixels')
    expect(await fault(pictureOf(2 ** 31 - 1, 1))).toMatch(/^(too_many_pixels|broken)$/)
    expect(await fault(await picture('png', { width: 5001, height: 5000 }))).toBe('too_many_pixels')
    expect(await made(await picture('png', { width: 5000, height: 5000 }))).toMatchObject({
      width: 5000,
    })
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'],
    ['an SVG with a prologue', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!DOCTYPE html><html><script>alert(1)</script></html>'],
    ['a PDF', '%PDF-1.7\n1 0 obj<<>>endobj trailer<<>>'],
    ['a TIFF', 'II*\0\b\0\0\0\0\0'],
    ['a script', '#!/usr/bin/env node\nalert(1)'],
  ])('are not %s', async (_, text) => {
    expect(await fault(Buffer.from(text))).toBe('type_unsupported')
  })

  it('of types that others take are not taken here', async () => {
    const tiff = await sharp(await picture())
      .tiff()
      .toBuffer()
    const avif = await sharp(await picture())
      .avif()
      .toBuffer()
    expect([await fault(tiff), await fault(avif)]).toEqual(['type_unsupported', 'type_unsupported'])
  })

  it.each(formats)('of type %s that are a script too are a script no more', async (format) => {
    const script = '*/=1;alert("polyglot")//<script>alert("polyglot")</script>'
    const sent = Buffer.concat([await picture(format), Buffer.from(script)])
    const { bytes } = await made(sent)
    expect(Buffer.from(bytes).includes('polyglot')).toBe(false)
    expect(Buffer.from(bytes).subarray(0, 4).toString()).toBe('RIFF')
  })

  it('with a script in a comment lose it', async () => {
    const plain = await picture('gif')
    // A comment extension may stand before the first frame, which begins with a comma.
    const at = plain.indexOf(0x2c)
    const text = Buffer.from('<script>alert("polyglot")</script>')
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), text, Buffer.from([0])])
    const sent = Buffer.concat([plain.subarray(0, at), comment, plain.subarray(at)])
    const { bytes } = await made(sent)
    expect(Buffer.from(bytes).includes('polyglot')).toBe(false)
  })

  it('are made side by side, also after one that could not be', async () => {
    const small = await picture()
    const outcomes = await Promise.allSettled(
      [small, small.subarray(0, 50), small, Buffer.from('no picture'), small].map((bytes) =>
        made(bytes),
      ),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
  })
})
