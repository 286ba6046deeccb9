import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { partsOf } from './parts.ts'
import type { Misfit } from '#src/ports/json-schemas.ts'

type Schema = Readonly<Record<string, unknown>>

const misfitsAtMost = 10
/** Of so many pairs of parts of the value and the schema all faults are told, else the first. */
const pairsAtMost = 2000
const messageAtMost = 300
const ofMembers = /does not match (?:schema|any subschemas)|did not match|had errors/

/** What of the value does not fit the schema, by the library. */
export function check(schema: Schema, value: unknown): Misfit[] {
  const asserted = asserting(schema)
  const first = by(asserted, value, true)
  if (first === undefined) return []
  // The library's time to gather all faults grows with the square of their number.
  const pairs = partsOf(schema, pairsAtMost) * partsOf(value, pairsAtMost)
  const said = pairs > pairsAtMost ? first : (by(asserted, value, false) ?? first)
  const all = said.split(/; (?=#)/).map(misfitOf)
  // A value whose member does not fit does not fit either; the member says more.
  const leaves = all.filter(
    (one) =>
      !ofMembers.test(one.message) &&
      !all.some(({ pointer }) => pointer.startsWith(`${one.pointer}/`)),
  )
  return (leaves.length > 0 ? leaves : all).slice(0, misfitsAtMost)
}

/** What the library says of a value; undefined where it fits. @param atFirst only until the first fault */
function by(schema: Schema, value: unknown, atFirst: boolean): string | undefined {
  const library = new CfWorkerJsonSchemaValidator({ draft: '2020-12', shortcircuit: atFirst })
  const result = library.getValidator(schema)(value)
  return result.valid ? undefined : result.errorMessage
}

/** Without `format`: by the dialect it asserts nothing, and the library's expressions are not bounded. */
function asserting<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(
      Object.entries(member).filter(([name, one]) => name !== 'format' || typeof one !== 'string'),
    )
  }) as T
}

function misfitOf(said: string): Misfit {
  const at = said.indexOf(': ')
  const location = at < 0 ? '' : said.slice(0, at)
  const words = at < 0 ? said : said.slice(at + 2)
  const message = words === 'False boolean schema.' ? 'is not allowed here' : words
  return {
    pointer: location.replace(/^#/, ''),
    message: message.slice(0, messageAtMost).toWellFormed(),
  }
}
