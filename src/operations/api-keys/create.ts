import * as z from 'zod'
import { ApiKeyRecord, KeyRights, newApiKey } from '#src/accounts/account.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { keyCreated } from '#src/accounts/key-notices.ts'
import { byWhom } from '#src/accounts/members/who.ts'
import { ownRow } from '#src/agents/access.ts'
import { PlainName } from '#src/agents/name.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Write } from '#src/ports/store.ts'

export const create = operation({
  name: 'api_keys.create',
  summary: 'Create an API key, for the account or scoped to one agent.',
  description:
    'A key with scope_char_id always acts as that agent and reaches nothing else; it ends with ' +
    'the agent. It cannot change what guards the agent (approval_gate, quorum, tools, control, ' +
    'autonomy, selected_secrets, brain.mcps, hooks, visibility), unless rights has policy. The ' +
    'raw key is only in this answer.',
  use: 'For a key that acts as one agent only (scope_char_id). It is shown once.',
  aliases: ['give key'],
  example: { name: 'Key of the researcher', scope_char_id: 'newsroom--researcher' },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'POST', path: '/api/api-keys/', status: 201 },
  toolsets: ['core', 'account'],
  input: z.strictObject({
    name: PlainName,
    scope_char_id: z.string().max(128).nullish().describe('The agent that the key acts as.'),
    rights: KeyRights.max(1)
      .default([])
      .describe(
        'policy: it may change what otherwise only the owner may. Only with scope_char_id.',
      ),
  }),
  output: ApiKeyRecord,
  refuses: ['character_not_found', 'forbidden', 'write_conflict'],
  secret: true,

  async run({ name, scope_char_id, rights }, context) {
    const scope = scope_char_id ?? null
    if (scope === null && rights.length > 0) noScope()
    const now = context.clock.now()
    const { raw, record } = newApiKey({ id: context.caller.accountId }, name, scope, now, rights)
    const { connection } = context.caller
    if (connection) record.made_by = connection.id
    const { hash: _hash, account_id: owner_id, made_by: _maker, ...shown } = record
    return retryUnmet(async () => {
      if (scope !== null) await ownRow(context, scope)
      const made: Write = { in: 'api_keys', insert: record }
      // A key must not outlive an agent that is being deleted at this moment.
      const isThere = { in: 'characters', update: { id: scope ?? '', owner_id } } as const
      const bound: Write[] = scope === null ? [] : [{ ...isThere, change: { $set: { owner_id } } }]
      bound.push(...whileConnected(connection))
      const note = { operation: 'api_keys.create', about: { key_id: record.id } }
      const about = scope === null ? note.about : { ...note.about, char_id: scope }
      const told = keyCreated(record, now, await byWhom(context.store, context.caller))
      return commitAudited(context, { ...shown, key: raw }, [...bound, made, told], {
        ...note,
        about,
      })
    })
  },
})

/**
 * The account's own key may already do all of it: a key with rights but without an agent is refused.
 */
function noScope(): never {
  const message = 'Only a key that acts as an agent has rights: name the agent as scope_char_id.'
  const errors = [{ pointer: '/rights', message, code: 'scope_missing' }]
  return refuse('invalid_input', message, { errors })
}

/** Writes that fail if the program that makes the key is no longer connected: the key would outlive it. */
function whileConnected(connection: { id: string } | undefined): Write[] {
  if (!connection) return []
  const { id } = connection
  return [{ in: 'connections', update: { id }, change: { $set: { id } } }]
}
