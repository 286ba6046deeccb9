import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import type { Misfit } from '#src/ports/json-schemas.ts'

const misfitsAtMost = 10
const messageAtMost = 300
const ofMembers = /does not match (?:schema|any subschemas)|did not match|had errors/

/** What of the value does not fit the schema, by the library. */
export function check(schema: Readonly<Record<string, unknown>>, value: unknown): Misfit[] {
  const library = new CfWorkerJsonSchemaValidator({ draft: '2020-12', shortcircuit: false })
  const result = library.getValidator(asserting(schema))(value)
  if (result.valid) return []
  const all = result.errorMessage.split(/; (?=#)/).map(misfitOf)
  // A value whose member does not fit does not fit either; the member says more.
  const leaves = all.filter(
    (one) =>
      !ofMembers.test(one.message) &&
      !all.some(({ pointer }) => pointer.startsWith(`${one.pointer}/`)),
  )
  return (leaves.length > 0 ? leaves : all).slice(0, misfitsAtMost)
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
