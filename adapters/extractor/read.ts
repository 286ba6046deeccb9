import { Buffer } from 'node:buffer'
import { ExtractFailure, type Extract, type Material } from '#src/ports/extractor.ts'
import { decoded, unsupported } from './charset.ts'
import { readCsv, readTsv } from './csv.ts'
import { readJson, readJsonLines } from './json.ts'
import { hintOf, kindOf, rootOf, type TextKind } from './kinds.ts'
import { Output, type Found, type Reader } from './output.ts'
import { gunzipped } from './packed/gzip.ts'
import { readMarkdown, readPage, readPlain } from './texts.ts'
import { titled } from './visible.ts'

/**
 * Reads a material, in this thread.
 * @throws ExtractFailure, or any error a library throws for unusual input
 */
export async function read(material: Material): Promise<Extract> {
  const output = new Output()
  const { title, mediaType, links = [], linksTo } = await found(material, output)
  if (output.chunks.length === 0 && links.length === 0) {
    throw new ExtractFailure('no_text', 'It holds no text.')
  }
  const about = { title: titled(title), mediaType, ...(linksTo ? { linksTo } : {}) }
  return { ...about, chunks: output.chunks, links }
}

async function found(material: Material, output: Output): Promise<Found> {
  const bytes = Buffer.from(material.bytes.buffer, material.bytes.byteOffset, material.bytes.length)
  if (material.as !== 'file') {
    const text = decoded(isGzip(bytes) ? gunzipped(bytes) : bytes, material.mediaType)
    return listReaderOf(text, material)(text, material, output)
  }
  if (isPdf(bytes)) {
    const { readPdf } = await import('./pdf.ts')
    return readPdf(material.bytes, material, output)
  }
  if (startsWith(bytes, 'PK\x03\x04')) return readArchive(bytes, material, output)
  refuseOthers(bytes)
  const text = decoded(bytes, material.mediaType)
  return readerOf(text, material)(text, material, output)
}

function startsWith(bytes: Buffer, mark: string): boolean {
  return bytes.subarray(0, mark.length).equals(Buffer.from(mark, 'latin1'))
}

const isGzip = (bytes: Buffer): boolean => startsWith(bytes, '\x1f\x8b')

/** A few other bytes may precede the header, but not a page. */
function isPdf(bytes: Buffer): boolean {
  const at = bytes.subarray(0, 1_024).indexOf('%PDF-')
  return at === 0 || (at > 0 && !/<[a-z!?]/i.test(bytes.toString('latin1', 0, at)))
}

async function readArchive(bytes: Buffer, material: Material, output: Output): Promise<Found> {
  const { namesIn } = await import('./packed/zip.ts')
  const { isDocument, readDocx } = await import('./packed/docx.ts')
  if (!isDocument(namesIn(bytes))) throw unsupported()
  return readDocx(bytes, material, output)
}

/** Refuses legacy Office files, RTF and PostScript, and documents that are encrypted. */
function refuseOthers(bytes: Buffer): void {
  const isOffice = startsWith(bytes, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
  if (isOffice && bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    throw new ExtractFailure('broken', 'It is encrypted.')
  }
  if (isOffice || startsWith(bytes, '{\\rtf') || startsWith(bytes, '%!PS')) throw unsupported()
}

// Texts and pages do not need the XML reader.
const readFeed: Reader<string> = async (...all) => (await import('./xml/feed.ts')).readFeed(...all)
const readSitemap: Reader<string> = async (...all) =>
  (await import('./xml/sitemap.ts')).readSitemap(...all)
const readOpml: Reader<string> = async (...all) => (await import('./xml/opml.ts')).readOpml(...all)
const readJsonFeed: Reader<string> = async (...all) =>
  (await import('./json-feed.ts')).readJsonFeed(...all)

const lists = new Set(['rss', 'feed', 'rdf:rdf'])
const opml = 'opml'

const isJsonFeed = (text: string): boolean => {
  return (
    /^\s*\{/.test(text.slice(0, 1_000)) && text.slice(0, 4_000).includes('jsonfeed.org/version')
  )
}

function listReaderOf(text: string, { as }: Material): Reader<string> {
  if (as === 'sitemap') return readSitemap
  if (rootOf(text) === opml) return readOpml
  return /^\s*\{/.test(text.slice(0, 1_000)) ? readJsonFeed : readFeed
}

const readers: Readonly<Record<Exclude<TextKind, 'xml'>, Reader<string>>> = {
  html: readPage,
  markdown: readMarkdown,
  plain: readPlain,
  json: readJson,
  json_lines: readJsonLines,
  csv: readCsv,
  tsv: readTsv,
}

function readerOf(text: string, material: Material): Reader<string> {
  const root = rootOf(text) ?? ''
  if (lists.has(root)) return readFeed
  if (root === opml) return readOpml
  if (isJsonFeed(text)) return readJsonFeed
  const kind = kindOf(text, hintOf(material))
  if (kind === 'xml') throw unsupported()
  return readers[kind]
}
