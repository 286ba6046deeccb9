import { inflateSync } from 'node:zlib'
import { Refusal } from '#src/core/errors.ts'
import { fileBytesAtMost } from '#src/core/input/upload.ts'
import { unreadable } from './json.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** The base64 length of the largest file. */
const textBytesAtMost = Math.ceil((fileBytesAtMost * 4) / 3)

/** Whether a file has the PNG signature. */
export function isPng(bytes: Uint8Array): boolean {
  return bytes.length >= signature.length && signature.equals(bytes.subarray(0, signature.length))
}

/** A card inside a picture. */
export interface EmbeddedCard {
  /** The bytes of its JSON. */
  json: Uint8Array
  /** How many further texts hold assets of programs; they are not read. */
  assets: number
}

/**
 * The card inside a PNG: that of `ccv3` if there is one, otherwise that of `chara`.
 * @throws Refusal `import_unreadable`, `payload_too_large` for a text that inflates beyond the bound of a file
 */
export function cardIn(bytes: Uint8Array): EmbeddedCard {
  const found = new Map<string, Uint8Array>()
  let assets = 0
  for (const { type, data } of chunksOf(bytes)) {
    if (!texts.has(type)) continue
    const keyword = keywordOf(data)
    if (keyword.startsWith('chara-ext-asset_')) assets++
    // The first of each counts: later ones may have been appended by anyone.
    if ((keyword === 'ccv3' || keyword === 'chara') && !found.has(keyword)) {
      found.set(keyword, textOf(type, data))
    }
  }
  const text = found.get('ccv3') ?? found.get('chara')
  if (!text) return unreadable('The PNG holds no character: it has no text called ccv3 or chara.')
  return { json: unwrapped(text), assets }
}

/**
 * The picture without its texts: decoders of pictures limit the length of texts.
 * @throws Refusal `import_unreadable`
 */
export function withoutTexts(bytes: Uint8Array): Uint8Array {
  const kept = [...chunksOf(bytes)].filter(({ type }) => !texts.has(type))
  return Buffer.concat([signature, ...kept.map(({ whole }) => whole)])
}

const texts: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt'])

interface Chunk {
  type: string
  data: Buffer
  /** With its length, type and checksum. */
  whole: Buffer
}

function* chunksOf(bytes: Uint8Array): Generator<Chunk> {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = signature.length
  while (at + 12 <= png.length) {
    const length = png.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > png.length) break
    const type = png.toString('latin1', at + 4, at + 8)
    yield { type, data: png.subarray(at + 8, end), whole: png.subarray(at, end + 4) }
    if (type === 'IEND') return
    at = end + 4
  }
  unreadable('The PNG ends early.')
}

function keywordOf(data: Buffer): string {
  const end = data.indexOf(0)
  // A keyword has at most 79 characters; that of some assets is longer.
  return end < 1 ? '' : data.toString('latin1', 0, Math.min(end, 300)).toLowerCase()
}

/** The text after the keyword, as bytes. */
function textOf(type: string, data: Buffer): Uint8Array {
  const rest = data.subarray(data.indexOf(0) + 1)
  if (type === 'tEXt') return rest
  if (type === 'zTXt') return inflated(rest.subarray(1))
  const isCompressed = rest[0] === 1
  const afterLanguage = rest.indexOf(0, 2)
  const afterKeyword = afterLanguage < 0 ? -1 : rest.indexOf(0, afterLanguage + 1)
  if (afterKeyword < 0) return unreadable(malformedText)
  const text = rest.subarray(afterKeyword + 1)
  return isCompressed ? inflated(text) : text
}

const malformedText = 'The PNG holds a malformed text.'

function inflated(data: Buffer): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: textBytesAtMost })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code !== 'ERR_BUFFER_TOO_LARGE') {
      return unreadable(malformedText, cause)
    }
    throw tooLong(cause)
  }
}

/** A card is base64 of its JSON; some programs write the JSON itself. */
function unwrapped(text: Uint8Array): Uint8Array {
  const start = text.findIndex((byte) => byte > 0x20)
  if (text[start] === 0x7b) return text
  const json = Buffer.from(Buffer.from(text).toString('latin1'), 'base64')
  if (json.length > fileBytesAtMost) {
    throw tooLong()
  }
  return json
}

function tooLong(cause?: unknown): Refusal {
  const message = 'The text in the PNG inflates to more than 10 MB.'
  return new Refusal('payload_too_large', message, { cause })
}
