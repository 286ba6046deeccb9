import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { isLastKey, lastKeyWarning } from '#src/accounts/last-key.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

const listed = '<api_keys.list> lists the keys of the account.'

export const revoke = operation({
  name: 'api_keys.revoke',
  summary: 'Revoke a key: it is refused everywhere from the next request on.',
  description:
    'A claim token no longer gives back a key that was revoked. Revoking the last key of the ' +
    'whole account works too, with the warning last_key, which names the way back.',
  example: { key_id: 'key_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'DELETE', path: '/api/api-keys/{key_id}' },
  toolsets: ['account'],
  input: z.strictObject({ key_id: z.string().max(100) }),
  output: z.object({
    id: z.string(),
    deleted: z.literal(true),
    warnings: z.array(Warning).optional(),
  }),
  refuses: ['api_key_not_found', 'forbidden'],
  destructive: true,

  async run({ key_id }, context) {
    const { store, caller, clock, forgetCallers } = context
    const key = await store.api_keys.get(key_id)
    if (!key) return noKey(context, key_id)
    if (key.account_id !== caller.accountId) {
      return refuse('forbidden', `The key "${key_id}" belongs to another account.`, {
        hint: listed,
      })
    }
    const revoked_at = key.revoked_at ?? timestamp(clock.now())
    const writes: Write[] = [
      { in: 'api_keys', update: { id: key_id }, change: { $set: { revoked_at } } },
    ]
    for (const claim of await store.claims.find({ key_id })) {
      const change = { $set: { sealed_key: null } }
      writes.push({ in: 'claims', update: { id: claim.id }, change })
    }
    const warnings = (await isLastKey(store, key)) ? [await lastKeyWarning(context, key)] : []
    const done = { id: key_id, deleted: true as const }
    const note = { operation: 'api_keys.revoke', about: { key_id } }
    const answer = await commitAudited(context, withWarnings(done, warnings), writes, note)
    forgetCallers()
    return answer
  },
})

/** @throws Refusal `api_key_not_found` always, with the nearest of the newest keys of the account */
async function noKey({ store, caller }: Context<'key'>, keyId: string): Promise<never> {
  const options = { sort: { id: -1 }, limit: idsAtMost } as const
  const rows = await store.api_keys.pick(['id'], { account_id: caller.accountId }, options)
  const hint = idHint(keyId, { ids: rows.flat(), list: '<api_keys.list>' })
  return refuse('api_key_not_found', `There is no key "${keyId}".`, { hint })
}
