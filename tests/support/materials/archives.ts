import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive; what is not said is as it is. */
export interface ArchiveFile {
  name: string
  bytes: Buffer
  /** Of `bytes`, already packed: the size that they unfold to. */
  unfolded?: number
  /** What the archive says that it unfolds to. */
  declared?: number
  /** Where the archive says that it is. */
  offset?: number
  isEncrypted?: boolean
}

/** A ZIP archive, as true or as false as it is asked for. */
export function archiveWith(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    const packed = file.unfolded === undefined ? deflateRawSync(file.bytes) : file.bytes
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(file.isEncrypted ? 1 : 0, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(file.unfolded === undefined ? crc32(file.bytes) : 0, 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(file.declared ?? file.unfolded ?? file.bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(file.offset ?? offset, 10)
    entries.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, name)
    if (file.offset !== undefined) continue
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed)
    offset += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The files of a document of a word processor with this body. */
export function documentFiles(body: string): ArchiveFile[] {
  const types =
    `<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-' +
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
  const relations =
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" ` +
    `Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`
  const document = `<w:document xmlns:w="${word}"><w:body>${body}</w:body></w:document>`
  return Object.entries({
    '[Content_Types].xml': types,
    '_rels/.rels': relations,
    'word/document.xml': document,
  }).map(([name, xml]) => ({ name, bytes: Buffer.from(declaration + xml) }))
}

/** A paragraph of such a document, in a style and with properties of its text. */
export function paragraph(text: string, style = '', properties = ''): string {
  const styled = style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
  const marked = properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`
  return `<w:p>${styled}<w:r>${marked}<w:t>${text}</w:t></w:r></w:p>`
}

const megabytes10 = 10 * 2 ** 20
let zeros: Buffer | undefined

/** A file of 10 MB of zeros, packed. */
export function foldedFile(name: string, more: Partial<ArchiveFile> = {}): ArchiveFile {
  zeros ??= deflateRawSync(Buffer.alloc(megabytes10))
  return { name, bytes: zeros, unfolded: megabytes10, ...more }
}
