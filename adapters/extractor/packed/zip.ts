import { crc32, inflateRawSync } from 'node:zlib'
import { ExtractFailure } from '#src/ports/extractor.ts'
import { unfoldedBytesAtMost, unfoldsTooFar } from '../limits.ts'

/** A file in an archive. */
export interface Part {
  name: string
  bytes: Buffer
}

interface Entry {
  name: string
  method: number
  isEncrypted: boolean
  packedSize: number
  size: number
  offset: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const partMark = 0x04034b50
const endSize = 22
const entrySize = 46
const partSize = 30
const entriesAtMost = 10_000
/** The limit of the total size that an archive declares: this includes pictures, which stay packed. */
const declaredAtMost = unfoldedBytesAtMost * 8

const broken = (): ExtractFailure => new ExtractFailure('broken', 'The archive cannot be read.')

/** The names of all files of an archive. @throws ExtractFailure */
export function namesIn(archive: Buffer): string[] {
  return entriesOf(archive).map(({ name }) => name)
}

/**
 * The wanted files of an archive, unpacked. Declared sizes are not trusted: a file that expands to a
 * different size, or overlaps another file, is broken.
 * @throws ExtractFailure
 */
export function partsOf(archive: Buffer, isWanted: (name: string) => boolean): Part[] {
  const entries = entriesOf(archive)
  if (entries.reduce((sum, { size }) => sum + size, 0) > declaredAtMost) throw unfoldsTooFar()
  const wanted = entries.filter(({ name }) => isWanted(name))
  if (new Set(wanted.map(({ name }) => name)).size < wanted.length) throw broken()
  let room = unfoldedBytesAtMost
  return wanted.map((entry) => {
    const bytes = unfolded(archive, entry, room)
    room -= bytes.length
    return { name: entry.name, bytes }
  })
}

function entriesOf(archive: Buffer): Entry[] {
  const end = endOf(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > entriesAtMost) {
    throw new ExtractFailure('too_large', 'The archive has too many files.')
  }
  let at = archive.readUInt32LE(end + 16)
  const entries: Entry[] = []
  for (let index = 0; index < count; index++) {
    if (at + entrySize > end || archive.readUInt32LE(at) !== entryMark) throw broken()
    const nameEnd = at + entrySize + archive.readUInt16LE(at + 28)
    entries.push({
      name: archive.toString('utf8', at + entrySize, nameEnd),
      method: archive.readUInt16LE(at + 10),
      isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
      packedSize: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    })
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  refuseOverlaps(entries)
  return entries
}

/** The last record of an archive, which a comment may follow. */
function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - endSize - 0xffff)
  for (let at = archive.length - endSize; at >= first; at--) {
    if (archive.readUInt32LE(at) === endMark) return at
  }
  throw broken()
}

/** Overlapping files would let a small archive expand to any size. */
function refuseOverlaps(entries: readonly Entry[]): void {
  let free = 0
  for (const { offset, packedSize } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < free) throw broken()
    free = offset + partSize + packedSize
  }
}

function unfolded(archive: Buffer, entry: Entry, room: number): Buffer {
  const { method, isEncrypted, packedSize, size, offset } = entry
  if (isEncrypted) throw new ExtractFailure('broken', 'It is encrypted.')
  const isThere = offset + partSize <= archive.length && archive.readUInt32LE(offset) === partMark
  if (!isThere) throw broken()
  const start =
    offset + partSize + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const packed = archive.subarray(start, start + packedSize)
  if (packed.length < packedSize || (method !== 0 && method !== 8)) throw broken()
  if (size > room) throw unfoldsTooFar()
  const bytes = method === 0 ? packed : inflated(packed, size)
  if (bytes.length !== size) throw broken()
  return bytes
}

function inflated(packed: Buffer, size: number): Buffer {
  try {
    // One byte more than declared is enough to detect a wrong size.
    return inflateRawSync(packed, { maxOutputLength: size + 1 })
  } catch {
    throw broken()
  }
}

/** An uncompressed archive of these files, for a library with its own rules for unpacking. */
export function archiveOf(parts: readonly Part[]): Buffer {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of parts) {
    const path = Buffer.from(name)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(bytes.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    files.push(marked(partMark), facts, path, bytes)
    entries.push(marked(entryMark), Buffer.from([20, 0]), facts, place, path)
    offset += partSize + path.length + bytes.length
  }
  const listed = Buffer.concat(entries)
  const end = Buffer.alloc(endSize - 4)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, listed, marked(endMark), end])
}

function marked(mark: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(mark)
  return bytes
}
