import type { Context } from 'koa'
import { Refusal } from '#src/core/errors.ts'
import { notUtf8 } from '../intake/refusals.ts'

const fieldsAtMost = 1000
const [and, plus, blank] = [0x26, 0x2b, 0x20]

/** Whether the request declares its body as a form without files. */
export function isFields({ req }: Context): boolean {
  const type = req.headers['content-type'] ?? ''
  return /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i.test(type)
}

/**
 * The fields of such a form by their names: texts, and for a name that comes several times the list of them.
 * @throws Refusal `payload_too_large` for too many fields, `bad_json` for what is not UTF-8
 */
export function fieldsOf(form: Uint8Array): Record<string, string | string[]> {
  // In bytes: texts of a megabyte in which so much is replaced would hold up the event loop.
  const bytes = Buffer.from(form)
  let count = 1
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === plus) bytes[at] = blank
    else if (bytes[at] === and) count++
  }
  if (count > fieldsAtMost) {
    throw new Refusal('payload_too_large', `A form may have at most ${fieldsAtMost} fields.`)
  }
  const fields = new Map<string, string[]>()
  for (const field of bytes.toString().split('&')) {
    if (field === '') continue
    const at = field.indexOf('=')
    const name = decoded(at < 0 ? field : field.slice(0, at))
    const all = fields.get(name) ?? []
    all.push(at < 0 ? '' : decoded(field.slice(at + 1)))
    fields.set(name, all)
  }
  const members = [...fields].map(([name, all]) => [name, all.length > 1 ? all : (all[0] ?? '')])
  return Object.fromEntries(members) as Record<string, string | string[]>
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new Refusal('bad_json', notUtf8, { cause })
  }
}
