import { isUtf8 } from 'node:buffer'
import { Refusal } from '#src/core/errors.ts'
import { forbiddenMember } from '#src/core/input/walk.ts'
import { notUtf8 } from './refusals.ts'

/** The value of a whole body. @throws SyntaxError; Refusal `bad_json` */
export function parsedJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refusal('bad_json', notUtf8)
  const text = decoder.decode(bytes)
  const value: unknown = JSON.parse(text)
  // Only such a text can have the name.
  if (text.includes('proto__') || text.includes(String.raw`\u00`)) refuseForbiddenNames(value)
  return value
}

const decoder = new TextDecoder()

function refuseForbiddenNames(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__') throw forbiddenMember()
    refuseForbiddenNames(inner)
  }
}
