import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { preferenceOf } from './intake/preference.ts'

export type Encoding = 'br' | 'gzip'

/** A smaller text fits into one packet anyway. */
export const compressedFrom = 1024
const rememberedAtMost = 200
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const known = new Map<string, Encoding | undefined>()

/** The encoding that `Accept-Encoding` prefers; among equals, the one with the smaller result. */
export function encodingOf(sent: string | undefined): Encoding | undefined {
  const header = preferenceOf(sent)
  if (header === undefined) return undefined
  if (known.has(header)) return known.get(header)
  const encoding = choose(header)
  // Browsers and libraries send a handful of values; the cache does not grow with invented ones.
  if (known.size < rememberedAtMost) known.set(header, encoding)
  return encoding
}

function choose(header: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gz] = [weightOf('br'), weightOf('gzip')]
  if (Math.max(br, gz) < (weights.get('identity') ?? 0) || Math.max(br, gz) === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}

/** Compressed on the thread pool, at cheap levels: an answer is made once and sent once. */
export function compress(text: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return zip(text, { level: 3 })
  return brotli(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  })
}
