import { ExtractFailure } from '#src/ports/extractor.ts'

/** Binary data has at least this share of such characters; prose has almost none. */
const junkAtMost = 0.02
/** UTF-8 that was cut or patched has few faults; other encodings have them everywhere. */
const faultsAtMost = 0.1
/** How much of a material is examined to tell its kind. */
const sampleBytes = 65_536

/**
 * Decodes the bytes: by a byte order mark, else as UTF-8 if they are valid UTF-8, else by the charset
 * that is declared, else as Windows-1252.
 * @throws ExtractFailure if they are not text at all
 */
export function decoded(bytes: Uint8Array, mediaType: string | null): string {
  const text = textOf(bytes, mediaType)
  if (isJunk(text)) throw unsupported()
  return text
}

/** The failure of a material of a type that has no reader. */
export function unsupported(): ExtractFailure {
  return new ExtractFailure('type_unsupported', 'It is of no type that is read.')
}

function textOf(bytes: Uint8Array, mediaType: string | null): string {
  const marked = markedAs(bytes) ?? wideForm(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const said = decoderOf(charsetOf(mediaType)) ?? decoderOf(charsetWithin(bytes))
  const sure = strictly(bytes, 'utf-8')
  // A single-byte encoding hardly ever looks like UTF-8 by chance; ISO-2022 escapes of Japanese mail
  // are ASCII.
  if (sure !== undefined && !said?.encoding.startsWith('iso-2022')) return sure
  if (said && said.encoding !== 'utf-8') {
    const text = said.decode(bytes)
    if (faultsOf(text) <= faultsAtMost) return text
  }
  const patched = new TextDecoder('utf-8').decode(bytes)
  if (faultsOf(patched) <= faultsAtMost) return patched
  return new TextDecoder('windows-1252').decode(bytes)
}

function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function markedAs(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

/** Detects UTF-16 without a mark: in western text every other byte is zero. */
function wideForm(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 1_024)
  if (sample.length < 4) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2]! += 1
  const [even = 0, odd = 0] = zeros.map((count) => count / (sample.length / 2))
  if (odd > 0.7 && even < 0.05) return 'utf-16le'
  return even > 0.7 && odd < 0.05 ? 'utf-16be' : undefined
}

function charsetOf(mediaType: string | null): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(mediaType?.slice(0, 500) ?? '')?.[1]
}

/** The charset declared in the head of a page or the first line of XML, both ASCII up to there. */
function charsetWithin(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 4_096))
  const meta = /<meta\s[^>]{0,300}charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head)
  return (meta ?? /^\s*<\?xml\s[^>]{0,200}encoding\s*=\s*["']([^"']+)/i.exec(head))?.[1]
}

function decoderOf(charset: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (charset === undefined) return undefined
  try {
    const decoder = new TextDecoder(charset)
    // A page whose beginning could be read as ASCII is not UTF-16.
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder
  } catch {
    // The charset is unknown.
    return undefined
  }
}

/** The share of undecodable characters among those that are not ASCII. */
function faultsOf(text: string): number {
  let [faults, others] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) faults++
    else if (code > 0x7f) others++
  }
  return faults === 0 ? 0 : faults / (faults + others)
}

/** Control characters, and code points without a standard meaning. */
const junk = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/u
/** The control characters that occur in texts. */
const usual = new Set('\t\n\r\f\v\u001b\u0085')

function isJunk(text: string): boolean {
  const sample = text.slice(0, sampleBytes)
  let count = 0
  for (const character of sample) if (junk.test(character) && !usual.has(character)) count++
  return count > Math.max(2, sample.length * junkAtMost)
}
