import * as z from 'zod'
import { Refusal } from '../errors.ts'
import { shapeOf } from '../input/unknown-members.ts'
import { isMap } from '../maps.ts'
import type { OperationFacts } from '../operation-facts.ts'
import { documentedAs } from '../schema.ts'

/** Headers in which other services take a key, as they are spelled in a hint. */
const headerNames = ['X-API-Key', 'API-Key', 'ApiKey', 'X-Auth-Token', 'X-Access-Token']
/** Names of members that hold a key where other services take one there. */
const memberNames: ReadonlySet<string> = new Set([
  'api_key',
  'apikey',
  'access_token',
  'auth',
  'auth_token',
  'authorization',
  'bearer',
  'key',
  'token',
  'x-api-key',
])
const membersAtMost = 50

/** The refusal of an `Authorization` header that holds no token, in the words of every door. */
export function notBearer(): Refusal {
  return new Refusal('invalid_credential', 'The Authorization header is not "Bearer" and a key.', {
    hint: 'Send it as "Authorization: Bearer ab_…", or leave it out.',
  })
}

/** What came with a call, apart from its credential. */
export interface Sent {
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  query?: Iterable<readonly [string, string]>
  /** What came next to the arguments of a tool, as `_meta`. */
  meta?: Readonly<Record<string, unknown>> | undefined
  input?: unknown
}

/** Whether a member of this name would hold a key elsewhere. */
export function namesKey(name: string): boolean {
  return name.length < 20 && memberNames.has(name.toLowerCase().replaceAll('-', '_'))
}

/**
 * A refusal of a call without a credential, told where the key came instead: who has one is not sent to get another.
 * Any other refusal is returned as it is.
 */
export function toldPlace(
  refusal: Refusal,
  { input: { shape }, auth, document }: Pick<OperationFacts, 'input' | 'auth' | 'document'>,
  sent: () => Sent,
): Refusal {
  if (!lacksCredential(refusal)) return refusal
  const own = document === undefined ? undefined : shapeOf(documentOf(shape[document]))
  const place = placeOf(
    sent(),
    (name) => namesKey(name) && !Object.hasOwn(shape, name) && own?.members.has(name) !== true,
    document,
  )
  if (!place) return refusal
  const isOfHandle = isToken(place.value) || (auth === 'commons' && !isKey(place.value))
  const [what, where] = isOfHandle ? ['token', tokenPlace] : ['key', theOnlyPlace]
  return refusal.withHint(`The ${what} came ${place.words}. ${where}`)
}

/** Whether a call was refused because no credential came with it. */
export function lacksCredential({ code }: Refusal): boolean {
  return code === 'unauthenticated' || code === 'missing_token'
}

/** A document as its members are named. */
function documentOf(schema: z.core.$ZodType | undefined): z.core.$ZodType {
  return (schema && documentedAs.get(schema)?.schema) ?? schema ?? z.object({})
}

const isKey = (value: unknown): boolean => beginsWith(value, 'ab_')
const isToken = (value: unknown): boolean => beginsWith(value, 'cmn_')

function beginsWith(value: unknown, prefix: string): boolean {
  return typeof value === 'string' && value.replace(/^bearer +/i, '').startsWith(prefix)
}

/** Where a key belongs. */
export const theOnlyPlace =
  'Send it in the header Authorization alone: "Authorization: Bearer ab_…".'
/** The same for the token of a handle. */
const tokenPlace = theOnlyPlace.replace('ab_', 'cmn_')

function placeOf(
  { headers, query = [], meta = {}, input }: Sent,
  holdsKey: (name: string) => boolean,
  document?: string,
): { words: string; value: unknown } | undefined {
  const header = headerNames.find((name) => headers[name.toLowerCase()] !== undefined)
  if (header !== undefined) {
    return { words: `as the header ${header}`, value: headers[header.toLowerCase()] }
  }
  for (const [name, value] of query) {
    if (holdsKey(name)) return { words: `as "${name}" in the query`, value }
  }
  // Names of it may have a prefix of their own, as in "example.com/key".
  const inMeta = memberIn(meta, (name) => holdsKey(name.slice(name.lastIndexOf('/') + 1)))
  if (inMeta) return { words: `as "${inMeta.name}" in _meta`, value: inMeta.value }
  const inner = isMap(input) && document !== undefined ? input[document] : undefined
  const member = memberIn(input, holdsKey) ?? memberIn(inner, holdsKey)
  return member && { words: `as the member "${member.name}" of the input`, value: member.value }
}

/** The first member that is a credential of this service, or that would hold one elsewhere. */
function memberIn(
  sent: unknown,
  holdsKey: (name: string) => boolean,
): { name: string; value: unknown } | undefined {
  if (!isMap(sent)) return undefined
  const found = Object.entries(sent)
    .slice(0, membersAtMost)
    .find(([name, value]) => isKey(value) || isToken(value) || holdsKey(name))
  return found && { name: found[0].slice(0, 100), value: found[1] }
}
