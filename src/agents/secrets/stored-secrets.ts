import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '#src/core/errors.ts'
import { sealer, type SealedFor, type Sealer } from '#src/core/seal.ts'

/** The secrets of one agent, stored under its id: each sealed with the agent's own key. */
export interface SecretShelf {
  id: string
  owner_id: string
  /** The agent's key, sealed under the master key. */
  data_key: string
  secrets: Record<string, KeptSecret>
  revision: number
}

/** One secret of an agent. */
export interface KeptSecret {
  /** Sealed with the agent's key. */
  sealed: string
  /** The last four characters, of values long enough to show them. */
  last4: string | null
  updated_at: string
  /**
   * Where it may be sent: origins and `local`, which tasks named when they were taken over, or which the
   * owner approved or named. Null or absent for none: the word of the owner counts.
   */
  origins?: string[] | null
  /** The owner has named them: it goes nowhere else, by no task. */
  bound?: boolean
}

/** How many secrets an agent may have. */
export const secretsAtMost = 100
/** How many origins of a secret are remembered, with those that were approved one by one. */
const knownAtMost = 100
/** Shorter values show no characters. */
const shortestShown = 16
const dataKeyBytes = 32

/** The name of a secret: that of an environment variable. */
export const SecretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 _, no digit first')

export const SecretShown = z
  .object({
    name: z.string(),
    set: z.boolean().describe("false: asked for by its app's manifest and not set yet"),
    last4: z.string().nullable().describe('Only of values of 16 characters or more'),
    updated_at: z.string().nullable(),
    origins: z
      .array(z.string())
      .nullable()
      .describe(
        'Where it may be sent: https://host[:port], or local for commands; null: none is named',
      ),
    bound: z
      .boolean()
      .describe('true: only there. false: also wherever a task sends it that the owner wrote'),
  })
  .meta({ id: 'Secret' })
/** A secret as every read returns it: never its value. */
export type SecretShown = z.infer<typeof SecretShown>

/** A secret to set, or to delete with null; without a value it keeps the one that it has. */
export interface SecretChange {
  name: string
  value?: string | null | undefined
  /** Where it may be sent, in the one form of each; null: by no name. Left out: as before. */
  origins?: readonly string[] | null | undefined
}

/** The agent of a shelf, and what seals its key. */
export interface ShelfPlace {
  charId: string
  ownerId: string
  master: Sealer
  /** RFC 3339. */
  now: string
}

/**
 * The shelf with these changes; the argument is not changed.
 * @throws Refusal `invalid_input` if there would be more secrets than an agent may have
 */
export function stocked(
  shelf: SecretShelf | undefined,
  changes: readonly SecretChange[],
  { charId, ownerId, master, now }: ShelfPlace,
): SecretShelf {
  const dataKey = shelf ? dataKeyOf(shelf, master) : randomBytes(dataKeyBytes)
  const own = sealer(dataKey)
  const secrets = new Map(Object.entries(shelf?.secrets ?? {}))
  for (const { name, value, origins } of changes) {
    const kept = secrets.get(name)
    if (value === null) secrets.delete(name)
    else if (value !== undefined) {
      const sealed = own.seal(value, secretBinding(charId, name))
      const { origins: before = null, bound } = kept ?? {}
      const places = { origins: before, ...(bound && { bound }) }
      secrets.set(name, { sealed, last4: last4Of(value), updated_at: now, ...places })
    }
    const next = secrets.get(name)
    if (origins !== undefined && next) secrets.set(name, boundTo(next, origins, now))
  }
  if (secrets.size > secretsAtMost) throw tooMany()
  return {
    id: charId,
    owner_id: ownerId,
    data_key: shelf?.data_key ?? master.seal(dataKey.toString('base64url'), keyBinding(charId)),
    // fromEntries defines members, so a name such as __proto__ stays plain data.
    secrets: Object.fromEntries(secrets),
    revision: (shelf?.revision ?? 0) + 1,
  }
}

function boundTo(
  { bound: _bound, ...kept }: KeptSecret,
  origins: readonly string[] | null,
  now: string,
): KeptSecret {
  if (origins === null) return { ...kept, origins: null, updated_at: now }
  return { ...kept, origins: [...new Set(origins)], bound: true, updated_at: now }
}

/** The shelf with further origins for its secrets; the argument is not changed. @param sendings to be allowed */
export function withOrigins(
  shelf: SecretShelf,
  sendings: readonly { secret: string; origin: string }[],
): SecretShelf {
  const secrets = new Map(Object.entries(shelf.secrets))
  for (const { secret, origin } of sendings) {
    const kept = secrets.get(secret)
    if (!kept || kept.origins?.includes(origin)) continue
    const origins = [...(kept.origins ?? []), origin].slice(-knownAtMost)
    secrets.set(secret, { ...kept, origins })
  }
  return { ...shelf, secrets: Object.fromEntries(secrets), revision: shelf.revision + 1 }
}

/** The values of those of these secrets that the shelf has, by name. */
export function opened(
  shelf: SecretShelf,
  names: readonly string[],
  master: Sealer,
): Record<string, string> {
  const own = sealer(dataKeyOf(shelf, master))
  const values = [...new Set(names)].flatMap((name): [string, string][] => {
    const kept = Object.hasOwn(shelf.secrets, name) ? shelf.secrets[name] : undefined
    return kept ? [[name, own.open(kept.sealed, secretBinding(shelf.id, name))]] : []
  })
  return Object.fromEntries(values)
}

/**
 * The secrets of a shelf as shown, by name, with those that are only asked for.
 * @param asked names that the agent should have
 */
export function shownSecrets(
  shelf: SecretShelf | undefined,
  asked: readonly string[],
): SecretShown[] {
  const shown = new Map(
    asked.map((name): [string, SecretShown] => [
      name,
      { name, set: false, last4: null, updated_at: null, origins: null, bound: false },
    ]),
  )
  for (const [name, kept] of Object.entries(shelf?.secrets ?? {})) {
    const { last4, updated_at, origins = null, bound = false } = kept
    shown.set(name, { name, set: true, last4, updated_at, origins, bound })
  }
  return [...shown.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function dataKeyOf(shelf: SecretShelf, master: Sealer): Buffer {
  return Buffer.from(master.open(shelf.data_key, keyBinding(shelf.id)), 'base64url')
}

function keyBinding(charId: string): SealedFor {
  return { id: charId, purpose: 'secrets_key' }
}

/** Bound to the agent and the name: a sealed value cannot be moved to another. */
function secretBinding(charId: string, name: string): SealedFor {
  return { id: `${charId}/${name}`, purpose: 'secret' }
}

function last4Of(value: string): string | null {
  const characters = Array.from(value)
  return characters.length < shortestShown ? null : characters.slice(-4).join('')
}

function tooMany(): Refusal {
  const message = `An agent has at most ${secretsAtMost} secrets.`
  return new Refusal('invalid_input', message, {
    errors: [{ pointer: '/secrets', message, code: 'too_many_secrets' }],
    hint: 'Delete one by sending it with the value null.',
  })
}
