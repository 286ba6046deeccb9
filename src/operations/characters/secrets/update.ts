import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { secretsAsked } from '#src/apps/asked-secrets.ts'
import { ownCharacter } from '#src/agents/access.ts'
import { textUpTo } from '#src/core/schema-parts.ts'
import {
  SecretName,
  secretsAtMost,
  SecretShown,
  shownSecrets,
  stocked,
  type KeptSecret,
  type SecretChange,
  type SecretShelf,
} from '#src/agents/secrets/stored-secrets.ts'
import { secretsChanged } from '#src/agents/secrets/changed.ts'
import { asRead } from '#src/agents/secrets/remove.ts'
import { refuse, type FaultItem } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { addressNames } from '#src/ports/model.ts'
import { isPlain, Origins, readOrigin } from '#src/agents/secrets/origins.ts'
import { isOwner, ownersAlone, refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'

/** Errors about a wrong change never repeat what was sent: it may be the secret. */
const Change = z.strictObject({
  name: SecretName,
  value: textUpTo(8192).min(1).nullable().optional().describe('null deletes it; left out it stays'),
  origins: Origins.optional().describe(
    'Where it may be sent: https://host[:port], or local for commands; null: no list',
  ),
})

/** What a change says, with each origin in its one form. */
function asSaid({ origins, ...change }: z.infer<typeof Change>): SecretChange {
  const read = origins?.flatMap((text) => readOrigin(text) ?? [])
  return { ...change, ...(origins !== undefined && { origins: read ?? null }) }
}

function onceEach(changes: readonly Pick<SecretChange, 'name'>[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [i, { name }] of changes.entries()) {
    if (seen.has(name)) {
      const message = 'the same secret is named twice'
      const params = { code: 'duplicate_name' }
      context.addIssue({ code: 'custom', path: [i, 'name'], message, params })
    }
    seen.add(name)
  }
}

export const update = operation({
  name: 'characters.secrets.update',
  summary: 'Set secrets of an agent by name, or delete them with the value null; the others stay.',
  description:
    'Values are sealed and never returned. A run has those that its task names in ' +
    'selected_secrets, in headers and environments only. A key that acts as the agent may set ' +
    'values for names that exist or are asked for, and delete them; only the owner may add new ' +
    'names, set or delete OPENAI_BASE_URL, and name with origins where a secret may be sent. ' +
    'Without origins it goes where a task of the owner sends it; where a key that acts as the ' +
    'agent would send it, the run waits for the owner.',
  example: { char_id: 'ada', secrets: [{ name: 'NEWS_API_KEY', value: 'the value' }] },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'admin',
  http: { method: 'PUT', path: '/api/characters/{char_id}/secrets' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    secrets: z
      .array(Change)
      .min(1)
      .max(2 * secretsAtMost)
      .superRefine(onceEach),
  }),
  output: z.object({ items: z.array(SecretShown) }),
  refuses: ['character_not_found', 'forbidden', 'owner_only', 'write_conflict'],
  destructive: true,

  run({ char_id, secrets: sent }, context) {
    const secrets = sent.map(asSaid)
    const { caller, store, sealer, clock } = context
    return retryUnmet(async () => {
      const character = await ownCharacter(context, char_id)
      const { owner_id } = character
      const shelf = await store.secrets.get(char_id)
      const asked = await secretsAsked(context, character)
      if (!isOwner(caller)) refuseOwnerOnly(changeFaults(secrets, shelf, asked, caller), caller)
      refuseFaulty(secrets, shelf)
      const now = timestamp(clock.now())
      const place = { charId: char_id, ownerId: owner_id, master: sealer, now }
      const next = stocked(shelf, secrets, place)
      const writes: Write[] = [
        // If the agent is deleted meanwhile, no secrets are left for a later agent to find.
        { in: 'characters', update: { id: char_id, owner_id }, change: { $set: { owner_id } } },
        shelf
          ? { in: 'secrets', update: asRead(shelf), replace: next }
          : { in: 'secrets', insert: next },
      ]
      const shown = { items: shownSecrets(next, asked) }
      const bytes = sizeOf(next) - (shelf ? sizeOf(shelf) : 0)
      const names = secrets.map(({ name }) => name)
      const changed = secretsChanged({ before: shelf, after: next }, names, sealer)
      const operation = 'characters.secrets.update'
      const note = changed.length > 0 ? { operation, about: { char_id }, changed } : undefined
      return commitAudited(context, shown, writes, note, { bytes })
    })
  },
})

function keptOf(shelf: SecretShelf | undefined, name: string): KeptSecret | undefined {
  return shelf && Object.hasOwn(shelf.secrets, name) ? shelf.secrets[name] : undefined
}

/** @throws Refusal `invalid_input` for a new secret without a value, and for a new origin of plain http */
function refuseFaulty(changes: readonly SecretChange[], shelf: SecretShelf | undefined): void {
  const errors = changes.flatMap(({ name, value, origins }, i): FaultItem[] => {
    const at = `/secrets/${i}`
    const kept = keptOf(shelf, name)
    if (value === undefined && (origins === undefined || !kept)) {
      const message = kept ? 'Neither a value nor origins are sent.' : 'A new secret needs a value.'
      return [{ pointer: `${at}/value`, message, code: 'required' }]
    }
    return (origins ?? []).flatMap((origin, j): FaultItem[] => {
      // What it has already, a task of before may have named.
      if (!isPlain(origin) || kept?.origins?.includes(origin)) return []
      const message = 'A secret is sent over https: http only to this same machine.'
      return [{ pointer: `${at}/origins/${j}`, message, code: 'plain_http' }]
    })
  })
  const [first] = errors
  if (first) refuse('invalid_input', first.message, { errors })
}

/**
 * What a key that acts as the agent may not do: it may only update values of names that its owner
 * gave.
 */
function changeFaults(
  changes: readonly SecretChange[],
  shelf: SecretShelf | undefined,
  asked: readonly string[],
  { setsPolicy }: Pick<KeyCaller, 'setsPolicy'>,
): FaultItem[] {
  return changes.flatMap(({ name, value, origins }, i) => {
    const at = `/secrets/${i}`
    const kept = keptOf(shelf, name)
    if (addressNames.some((one) => one === name)) {
      const message = `"${name}" says where other secrets are sent: only the owner may set it.`
      return [{ pointer: `${at}/name`, message, code: 'secret_origin' }]
    }
    if (origins !== undefined && !isDeepStrictEqual(origins, kept?.origins ?? null)) {
      const message = 'Only the owner may say where a secret is sent.'
      return [{ pointer: `${at}/origins`, message, code: 'secret_origin' }]
    }
    const isKnown = setsPolicy || value === null || kept || asked.includes(name)
    return isKnown ? [] : [ownersAlone(`${at}/name`, `Only the owner may add a new secret.`)]
  })
}
