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
import { isPerson } from '#src/core/admission/caller.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'

const spendAtMost = 1_000_000_000

export const update = operation({
  name: 'account.update',
  summary:
    'Change the name of the account, whether it keeps what brains are asked, and what it leaves to persons.',
  description:
    'Members that are not sent stay. With keep_prompts false the events model.request and ' +
    'lease.given of runs are kept without the texts from then on. A key may leave more to persons; only a ' +
    'signed-in owner of the account leaves less.',
  example: { name: 'Newsroom', keep_prompts: false },
  auth: 'key',
  oauthScope: 'admin',
  http: { method: 'PUT', path: '/api/account' },
  toolsets: ['account'],
  input: z.strictObject({
    name: PlainName.nullable().optional(),
    keep_prompts: z.boolean().optional(),
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
      // A repeat must not undo what a person has changed meanwhile.
      const asRead = {
        id,
        approvals_need_person: kept?.approvals_need_person ?? { $exists: false },
        key_spend_cents_a_day: kept?.key_spend_cents_a_day ?? null,
      }
      const policy = changed.length > 0 ? after : {}
      const change = { $set: { name, keep_prompts, ...policy } }
      const by = await byWhom(store, caller)
      const told = changed.length > 0 ? [policyNotice(id, { changed, by }, clock.now())] : []
      const note =
        changed.length > 0
          ? { operation: 'account.update', about: { account_id: id }, changed }
          : undefined
      const hasNoHolder = changed.length > 0 && kept?.holder_id === null
      return commitAudited(
        context,
        withWarnings({ id, name, keep_prompts, ...after }, hasNoHolder ? [noPerson] : []),
        [{ in: 'accounts', update: asRead, change }, ...bound, ...told],
        note,
      )
    })
  },
})

const loosening = { roles: ['owner'], doing: 'let keys of the account do more' } as const

const noPerson = {
  code: 'no_person',
  message:
    'No person holds the account yet: until one takes it over at its claim_url, none can decide.',
}
