import { constants, deflateRawSync, deflateSync } from 'node:zlib'

export interface PdfOptions {
  title?: string
  isEncrypted?: boolean
  /** How often what draws a page is packed; by default once. */
  timesPacked?: number
}

/** A PDF with these lines on its pages; or with what is said, packed, to draw a page. */
export function pdfOf(
  pages: readonly (readonly string[] | Buffer)[],
  options: PdfOptions = {},
): Buffer {
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const [at, page] of pages.entries()) {
    const drawn = Buffer.isBuffer(page) ? page : deflateSync(drawing(page))
    const facts = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>'
    objects.push(`<< /Type /Page /Parent 2 0 R ${facts} /Contents ${5 + at * 2} 0 R >>`)
    const filters = Array.from({ length: options.timesPacked ?? 1 }, () => '/FlateDecode').join(' ')
    const head = `<< /Length ${drawn.length} /Filter [${filters}] >>\nstream\n`
    objects.push(Buffer.concat([Buffer.from(head), drawn, Buffer.from('\nendstream')]))
  }
  let trailer = '/Root 1 0 R'
  if (options.title !== undefined) {
    trailer += ` /Info ${objects.push(`<< /Title (${options.title}) >>`)} 0 R`
  }
  if (options.isEncrypted) {
    // No password fits hashes made of zeros.
    const zeros = `<${'00'.repeat(32)}>`
    const facts = `/Filter /Standard /V 1 /R 2 /P -4 /O ${zeros} /U ${zeros}`
    trailer += ` /Encrypt ${objects.push(`<< ${facts} >>`)} 0 R /ID [${zeros} ${zeros}]`
  }
  return written(objects, trailer)
}

function drawing(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`)
  return `BT /F1 12 Tf 14 TL 50 750 Td ${shown.join('\n')} ET`
}

function written(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  let offset = parts[0]?.length ?? 0
  const offsets: number[] = []
  for (const [at, object] of objects.entries()) {
    const own = Buffer.isBuffer(object) ? object : Buffer.from(object, 'latin1')
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), own, Buffer.from('\nendobj\n')])
    offsets.push(offset)
    parts.push(part)
    offset += part.length
  }
  const rows = offsets.map((one) => `${String(one).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`
  const end = `trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${offset}\n%%EOF`
  return Buffer.concat([...parts, Buffer.from(table + end)])
}

/** A small packed stream that unfolds to many times 16 MB of blanks. */
export function packedBomb(times: number): Buffer {
  // A block that ends in a full flush knows nothing of the one before it, so it can be repeated.
  const block = deflateRawSync(Buffer.alloc(2 ** 24, ' '), {
    finishFlush: constants.Z_FULL_FLUSH,
  })
  const head = Buffer.from([0x78, 0x9c])
  return Buffer.concat([head, ...Array.from({ length: times }, () => block)])
}
