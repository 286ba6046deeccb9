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
}

/** How many secrets an agent may have. */
export const secretsAtMost = 100
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
  })
  .meta({ id: 'Secret' })
/** A secret as every read returns it: never its value. */
export type SecretShown = z.infer<typeof SecretShown>

/** A secret to set, or to delete with null. */
export interface SecretChange {
  name: string
  value: string | null
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
  for (const { name, value } of changes) {
    if (value === null) secrets.delete(name)
    else {
      const sealed = own.seal(value, secretBinding(charId, name))
      secrets.set(name, { sealed, last4: last4Of(value), updated_at: now })
    }
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
      { name, set: false, last4: null, updated_at: null },
    ]),
  )
  for (const [name, { last4, updated_at }] of Object.entries(shelf?.secrets ?? {})) {
    shown.set(name, { name, set: true, last4, updated_at })
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
