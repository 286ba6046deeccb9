import * as z from 'zod'
import { policyOf } from '#src/accounts/policy.ts'
import { OwnRetentionInput } from '#src/core/counts/own-retention.ts'
import { KeyRights } from '#src/accounts/account.ts'
import { MemberRole } from '#src/accounts/members/member.ts'
import { operation } from '#src/core/operation.ts'
import { QuotaUse, quotaUse } from '#src/runs/overview/quota-use.ts'

export const get = operation({
  name: 'account.get',
  summary: 'Read the account of the key: whom it acts as, and how much of its quotas is used.',
  use: 'What your key may do.',
  aliases: ['who am i'],
  example: {},
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/account' },
  toolsets: ['core', 'account'],
  input: z.strictObject({}),
  output: z.object({
    id: z.string(),
    kind: z.string(),
    plan: z.string(),
    name: z.string().nullable(),
    claimed: z.boolean(),
    keep_prompts: z.boolean().describe('Whether events of runs keep what brains are asked.'),
    retention: OwnRetentionInput.describe('What the account keeps for less long than the server.'),
    approvals_need_person: z.boolean().describe('Whether only signed-in persons decide approvals.'),
    key_spend_cents_a_day: z.int().nullable().describe('What keys may spend in a day (UTC).'),
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        scope_char_id: z.string().nullable(),
        rights: KeyRights.optional(),
      })
      .nullable()
      .describe('Null for a signed-in person.'),
    role: MemberRole.nullable().describe('What the signed-in person is in it; null for a key.'),
    quotas: z.array(QuotaUse),
    created_at: z.string(),
  }),
  refuses: [],

  async run(_, context) {
    const { store, caller } = context
    const account = await store.accounts.get(caller.accountId)
    return {
      id: caller.accountId,
      kind: account?.kind ?? 'agent',
      plan: account?.plan ?? 'free',
      name: account?.name ?? null,
      claimed: caller.claimed,
      keep_prompts: account?.keep_prompts ?? true,
      retention: account?.retention ?? {},
      ...policyOf(account),
      key: caller.key,
      role: caller.role ?? null,
      quotas: await quotaUse(context),
      created_at: account?.created_at ?? '',
    }
  },
})
