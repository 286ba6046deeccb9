import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { PlainName } from '#src/agents/name.ts'
import { boundToRole } from '#src/accounts/members/bound.ts'
import { byWhom } from '#src/accounts/members/who.ts'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import {
  isLoosened,
  onlyPersonLoosens,
  policyChanged,
  policyNotice,
  policyOf,
} from '#src/accounts/policy.ts'
import {
  changedRetention,
  ownNames,
  OwnRetentionInput,
  type OwnRetention,
} from '#src/core/counts/own-retention.ts'
import { isPerson } from '#src/core/admission/caller.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'

const spendAtMost = 1_000_000_000

export const update = operation({
  name: 'account.update',
  summary:
    'Change the name of the account, what it keeps and for how long, and what it leaves to persons.',
  description:
    'Members that are not sent stay. With keep_prompts false the events model.request and ' +
    'lease.given of runs are kept without the texts from then on. With retention it keeps some for less long ' +
    'than the server, within the bounds of own_retention in limits.get; what is older goes within a day, and is ' +
    'not found again. A key may leave more to persons; only a signed-in owner of the account leaves less.',
  example: { name: 'Newsroom', keep_prompts: false },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'PUT', path: '/api/account' },
  toolsets: ['account'],
  input: z.strictObject({
    name: PlainName.nullable().optional(),
    keep_prompts: z.boolean().optional(),
    retention: OwnRetentionInput.optional().describe('Figures that are not sent stay.'),
    approvals_need_person: z
      .boolean()
      .optional()
      .describe('Whether only signed-in persons decide approvals, and no key.'),
    key_spend_cents_a_day: z
      .int()
      .min(0)
      .max(spendAtMost)
      .nullable()
      .optional()
      .describe('What keys may spend in a day (UTC); null: no figure.'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string().nullable(),
    keep_prompts: z.boolean(),
    retention: OwnRetentionInput,
    approvals_need_person: z.boolean(),
    key_spend_cents_a_day: z.int().nullable(),
    warnings: z.array(Warning).optional(),
  }),
  refuses: ['person_needed', 'write_conflict'],

  run(sent, context) {
    const { store, caller, clock, settings } = context
    const id = caller.accountId
    return retryUnmet(async () => {
      const kept = await store.accounts.get(id)
      const { name = kept?.name ?? null, keep_prompts = kept?.keep_prompts ?? true } = sent
      const before = policyOf(kept)
      const {
        approvals_need_person = before.approvals_need_person,
        key_spend_cents_a_day = before.key_spend_cents_a_day,
      } = sent
      const after = { approvals_need_person, key_spend_cents_a_day }
      const changed = policyChanged(before, after)
      const bound = isLoosened(before, after)
        ? await boundToRole(
            isPerson(caller) ? { store, caller } : onlyPersonLoosens(settings),
            loosening,
          )
        : []
      const retention = sent.retention
        ? changedRetention(kept?.retention, sent.retention, settings.retention)
        : (kept?.retention ?? {})
      // A repeat must not undo what a person has changed meanwhile.
      const asRead = {
        id,
        ...retentionAsRead(kept?.retention),
        approvals_need_person: kept?.approvals_need_person ?? { $exists: false },
        key_spend_cents_a_day: kept?.key_spend_cents_a_day ?? null,
      }
      const policy = changed.length > 0 ? after : {}
      const keeping = sent.retention ? { retention } : {}
      const change = { $set: { name, keep_prompts, ...keeping, ...policy } }
      const by = await byWhom(store, caller)
      const told = changed.length > 0 ? [policyNotice(id, { changed, by }, clock.now())] : []
      const noted = isDeepStrictEqual(retention, kept?.retention ?? {})
        ? changed
        : [...changed, 'retention']
      const note =
        noted.length > 0
          ? { operation: 'account.update', about: { account_id: id }, changed: noted }
          : undefined
      const hasNoHolder = changed.length > 0 && kept?.holder_id === null
      return commitAudited(
        context,
        withWarnings(
          { id, name, keep_prompts, retention, ...after },
          hasNoHolder ? [noPerson] : [],
        ),
        [{ in: 'accounts', update: asRead, change }, ...bound, ...told],
        note,
      )
    })
  },
})

/** The figures as they were read; none stands for a name that is missing. */
function retentionAsRead(retention: OwnRetention | undefined) {
  const each = ownNames.map((name) => [`retention.${name}`, retention?.[name] ?? null])
  return Object.fromEntries(each) as Record<`retention.${string}`, number | null>
}

const loosening = { roles: ['owner'], doing: 'let keys of the account do more' } as const

const noPerson = {
  code: 'no_person',
  message:
    'No person holds the account yet: until one takes it over at its claim_url, none can decide.',
}
