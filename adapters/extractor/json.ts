import { ExtractFailure } from '#src/ports/extractor.ts'
import { RecordPacker } from './chunks/records.ts'
import { charactersAtMost, tooMuchText } from './limits.ts'
import type { Reader } from './output.ts'
import { byLine, readPlain } from './texts.ts'
import { shortened, visible } from './visible.ts'

const mediaType = 'application/json'

/** A line for every value, prefixed with its path. Input that only looks like JSON is read as text. */
export const readJson: Reader<string> = (text, material, output) => {
  const value = parsed(text)
  if (value === undefined) {
    const isSaid =
      /\bjson\b/i.test(material.mediaType ?? '') || /\.json$/i.test(material.filename ?? '')
    if (isSaid) throw new ExtractFailure('broken', 'It is not JSON, though it is said to be.')
    return readPlain(text, material, output)
  }
  output.addPassage({ text: visible(linesOf(value)), markup: 'plain', place: null })
  return { title: titleOf(value), mediaType }
}

/** One document on each line; a line that is not JSON is kept as it is. */
export const readJsonLines: Reader<string> = (text, _material, output) => {
  const packer = new RecordPacker(output.add)
  let line = 0
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    line++
    const own = text.slice(at, end)
    const value = own.trim() === '' ? undefined : parsed(own)
    packer.add(visible(value === undefined ? own : linesOf(value)).trim(), byLine(line))
    at = end + 1
  }
  packer.end()
  return { title: null, mediaType: 'application/x-ndjson' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function titleOf(value: unknown): string | null {
  if (!isObject(value) || Array.isArray(value)) return null
  for (const name of ['title', 'name']) {
    const said = Object.hasOwn(value, name) ? value[name] : undefined
    if (typeof said === 'string') return said
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

interface Place {
  value: unknown
  path: string
  depth: number
}

const longestPath = 160

/** Walks without recursion, because documents may be deep. A path that grows long keeps its end. */
function linesOf(whole: unknown): string {
  const lines: string[] = []
  let size = 0
  const waiting: Place[] = [{ value: whole, path: '', depth: 0 }]
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, path, depth } = place
    const said = saidBy(value)
    if (said === undefined) {
      const inner = childrenOf(value, path, depth)
      // Pushed in reverse, because the last one pushed is read first.
      for (let at = inner.length - 1; at >= 0; at--) waiting.push(inner[at]!)
    } else if (said !== '') {
      const line = path === '' ? said : `${path}: ${said}`
      size += line.length
      if (size > charactersAtMost) throw tooMuchText()
      lines.push(line)
    }
    if (depth === 1) lines.push('')
  }
  return lines.join('\n')
}

/** The text of a container that holds only plain values and is not worth lines of its own. */
function saidBy(value: unknown): string | undefined {
  if (value === null) return ''
  // Other JSON values are written as JSON does.
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  if (!Array.isArray(value)) return undefined
  return value.some((one) => isObject(one))
    ? undefined
    : value.filter((one) => one !== null).join(', ')
}

function childrenOf(value: unknown, path: string, depth: number): Place[] {
  if (Array.isArray(value)) {
    return value.map((one: unknown, at) => ({
      value: one,
      path: ended(`${path}[${at}]`),
      depth: depth + 1,
    }))
  }
  if (!isObject(value)) return []
  const prefix = path === '' ? '' : `${path}.`
  return Object.entries(value).map(([name, one]) => {
    return { value: one, path: ended(prefix + shortened(name, longestPath)), depth: depth + 1 }
  })
}

function ended(path: string): string {
  return path.length <= longestPath ? path : `…${path.slice(-longestPath + 1).toWellFormed()}`
}
