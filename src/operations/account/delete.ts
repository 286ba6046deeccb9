import * as z from 'zod'
import { boundToRole } from '#src/accounts/members/bound.ts'
import { mustHaveConfirmed } from '#src/accounts/people/confirmed.ts'
import { personGone } from '#src/accounts/people/leave.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import {
  accountGone,
  mailsOfDeletion,
  nameToType,
  withoutMoney,
} from '#src/departures/delete-account.ts'

const nameAtMost = 300

export const deleteAccount = operation({
  name: 'account.delete',
  summary:
    'Delete the account with everything that it has; with their own account, the person too.',
  description:
    'At once its keys, connected programs and members have no access any more. Within the hour its agents, runs, messages, ' +
    'knowledge and files are purged. What stays: the lines of the wallet, what others were sent, and what its agents wrote in public ' +
    'forums, without their author. <account.export> gives all of it before. Who is a member only leaves with <account.members.delete>.',
  example: { confirm: 'ada@example.org' },
  auth: 'person',
  oauthScope: 'admin',
  http: { method: 'DELETE', path: '/api/account' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    confirm: z
      .string()
      .max(nameAtMost)
      .describe(
        'The name of the account; where it has none, the e-mail address of the person that it was made with, or its id.',
      ),
    waive_balance: z.boolean().default(false).describe('Give up the money that is in the wallet.'),
  }),
  output: z.object({
    id: z.string(),
    deleted: z.literal(true),
    person_deleted: z.boolean().describe('Whether the person is deleted too.'),
  }),
  refuses: [
    'person_needed',
    'confirmation_needed',
    'wallet_not_empty',
    'accounts_left',
    'own_account',
    'write_conflict',
  ],
  destructive: true,
  unkept: true,

  async run({ confirm, waive_balance }, context) {
    await mustHaveConfirmed(context)
    const answer = await retryUnmet(() => deleted(context, confirm, waive_balance))
    context.forgetCallers()
    return answer
  },
})

async function deleted(context: Context<'person'>, confirm: string, isGivenUp: boolean) {
  const { store, caller, clock, commit } = context
  const now = clock.now()
  const bound = await boundToRole(context, { roles: ['owner'], doing: 'delete it' })
  const [account, person] = await Promise.all([
    store.accounts.get(caller.accountId),
    store.persons.get(caller.personId),
  ])
  if (!account || !person) return refuse('invalid_credential', sessionEnded)
  const isOwn = person.account_id === account.id
  if (account.kind === 'person' && !isOwn) {
    return refuse('own_account', 'The account was made with another person, who alone deletes it.')
  }
  const called = nameToType(account, isOwn ? person.email : undefined)
  if (confirm.trim() !== called) return notSo(called)
  const writes = [
    ...bound,
    ...(await withoutMoney(store, account.id, isGivenUp)),
    ...(await mailsOfDeletion(context, account, called)),
    ...(await accountGone(context, account, now)),
    ...(isOwn ? await personGone(store, person, now) : []),
  ]
  const value = { id: account.id, deleted: true as const, person_deleted: isOwn }
  return commit(value, writes, isOwn ? { session: 'ended' } : {})
}

function notSo(called: string): never {
  const message = `To delete the account, "confirm" has to be exactly: ${called}`
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/confirm', message, code: 'custom' }],
  })
}
