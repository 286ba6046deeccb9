import { isUtf8 } from 'node:buffer'
import { Refusal } from '#src/core/errors.ts'
import { lessDeep } from '#src/core/input/bounds.ts'
import { isMap } from '#src/core/maps.ts'

/** How deep a file of another format may be nested. */
export const foreignDepthAtMost = 32
/** For our own exports: an agent imported from such a file is nested a little deeper. */
export const depthAtMost = 40
/** Members and items of a file. */
export const nodesAtMost = 250_000

/** What a JSON text holds. */
export interface Parsed {
  value: Record<string, unknown>
  depth: number
  /** Members and items in total. */
  nodes: number
}

/**
 * The object that a file of JSON holds, read as UTF-8 or, by its byte order mark, as UTF-16. It is
 * measured before it is parsed.
 * @throws Refusal `too_deep`, `import_unreadable`
 */
export function parsedFile(bytes: Uint8Array): Parsed {
  const text = decoded(bytes)
  const { depth, nodes } = measured(text)
  const value = parsedText(text)
  if (!isMap(value)) unreadable('The JSON of the file is not an object.')
  return { value, depth, nodes }
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (!isUtf8(bytes)) unreadable('The file is neither a PNG nor a JSON text of well-formed UTF-8.')
  // The decoder drops a byte order mark.
  return new TextDecoder().decode(bytes)
}

/** Numbers in JSON that would lose precision: they are kept as texts. */
const maybeLarge = /\d{16}|\d[eE]\+?\d\d/

function parsedText(text: string): unknown {
  try {
    if (!maybeLarge.test(text)) return JSON.parse(text) as unknown
    const exact = (_: string, value: unknown, { source }: { source?: string }): unknown =>
      typeof value === 'number' && !isKept(value) ? source : value
    // The engine passes the reviver the source text of a number; the types lack it so far.
    return JSON.parse(text, exact as (name: string, value: unknown) => unknown) as unknown
  } catch (cause) {
    // The engine's message quotes the text, which may hold a secret.
    return unreadable('The file is neither a PNG nor JSON: it cannot be parsed.', cause)
  }
}

function isKept(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

const quote = 0x22
const backslash = 0x5c

/**
 * How deep a JSON text is nested. If it is not JSON, the parser reports it later.
 * @throws Refusal `too_deep`
 */
function measured(text: string): { depth: number; nodes: number } {
  let depth = 0
  let deepest = 0
  let nodes = 1
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = endOfText(text, at)
    else if (unit === 0x2c) nodes++
    else if (unit === 0x7b || unit === 0x5b) {
      nodes++
      depth++
      if (depth > deepest) deepest = depth
      if (depth > depthAtMost) throw tooDeep(depthAtMost)
    } else if (unit === 0x7d || unit === 0x5d) depth--
    if (nodes > nodesAtMost) {
      const message = `The file has more than ${nodesAtMost} members and items.`
      throw new Refusal('too_deep', message, { hint: lessDeep })
    }
  }
  return { depth: deepest, nodes }
}

/** Where the text that begins here ends. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    // An even number of backslashes escapes only themselves.
    if ((end - before) % 2 === 1) return end
    at = end + 1
  }
}

/** The refusal of a file that is nested too deep. */
export function tooDeep(levels: number): Refusal {
  const message = `The file is nested more than ${levels} levels deep.`
  return new Refusal('too_deep', message, { hint: lessDeep })
}

/** @throws Refusal `import_unreadable` always */
export function unreadable(message: string, cause?: unknown): never {
  throw new Refusal('import_unreadable', message, {
    hint:
      'It may be an export of this service, any JSON object with a name, a character card V1 to V3 ' +
      '(JSON, or PNG with the card inside), an elizaOS character or an A2A agent card.',
    cause,
  })
}
