import { checkedId } from '../checked.ts'

/**
 * Plain JSON in MongoDB's form. Two cases have no direct representation there: names that the server or
 * the driver would interpret or refuse (`$` in front, `.` or NUL inside, `_id`, `_bsontype`), which are
 * escaped with a leading `~`, and text that is not valid Unicode, which is stored as bytes.
 * A value without any of these is returned as the same object.
 */
const toEscape = /^[$~]|[.\0]|^_(id|bsontype)$/
const escapedUnit = /[%$.~\0\ud800-\udfff]/g

type Members = Record<string, unknown>

/** A member of the adapter's own, a counter for transactions; no name of the port is stored under it. */
export const bound = '~~'

export function toStored(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : Buffer.from(value, 'utf16le')
  if (typeof value !== 'object' || value === null) return value
  return mapped(value, toStored, storedName)
}

export function fromStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Buffer.isBuffer(value)) return value.toString('utf16le')
  return mapped(value, fromStored, plainName)
}

function storedName(name: string): string {
  if (!toEscape.test(name) && name.isWellFormed()) return name
  const hex = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `~${name.replace(escapedUnit, hex)}`
}

function plainName(name: string): string {
  if (!name.startsWith('~')) return name
  const unit = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))
  return name.slice(1).replace(/%([0-9a-f]{4})/g, unit)
}

function mapped(
  value: object,
  map: (value: unknown) => unknown,
  rename: (name: string) => string,
): object {
  if (Array.isArray(value)) return mappedList(value, map)
  const entries: [string, unknown][] = Object.entries(value)
  let same = true
  for (const entry of entries) {
    const [name, member] = entry
    entry[0] = rename(name)
    entry[1] = map(member)
    if (entry[0] !== name || entry[1] !== member) same = false
  }
  // Object.fromEntries defines members, so one called __proto__ is an ordinary member.
  return same ? value : Object.fromEntries(entries)
}

function mappedList(value: unknown[], map: (value: unknown) => unknown): unknown[] {
  let copy: unknown[] | undefined
  for (let position = 0; position < value.length; position += 1) {
    const member = value[position]
    const changed = map(member)
    if (changed !== member) copy ??= value.slice()
    if (copy) copy[position] = changed
  }
  return copy ?? value
}

/** A document in MongoDB's form: its id is the key. */
export function toStoredDocument(document: { id: string }): Members & { _id: string } {
  const { id, ...members } = document
  // Escaping keeps the shape: an object stays an object.
  return { _id: checkedId(id), ...(toStored(members) as Members) }
}

/** A document as it was stored, with its id first. */
export function fromStoredDocument({
  _id,
  [bound]: _bound,
  ...members
}: Members): Members & { id: string } {
  // Every document was written by `toStoredDocument`.
  return { id: _id as string, ...(fromStored(members) as Members) }
}
