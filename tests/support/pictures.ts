import sharp from 'sharp'

/** A picture of one colour. */
export function picture(
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
  { width = 16, height = 12, colour = '#3070a0' } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** A file as it is sent in JSON. */
export function encoded(bytes: Uint8Array, filename = 'ada.png', media_type = 'image/png') {
  return { filename, media_type, data: Buffer.from(bytes).toString('base64') }
}
