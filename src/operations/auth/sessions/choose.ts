import * as z from 'zod'
import { whileSignedIn } from '#src/accounts/members/bound.ts'
import { MemberRole } from '#src/accounts/members/member.ts'
import { roleIn } from '#src/core/authorization/account-roles.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { Unmet, type Write } from '#src/ports/store.ts'

export const choose = operation({
  name: 'auth.sessions.choose',
  summary: 'Choose the account that this session acts for where no call names one.',
  description:
    'The header Abode-Account still wins. Without account_id it is the own account again, as it is while the person is ' +
    'no member of the chosen one.',
  example: { account_id: null },
  auth: 'person',
  ofPerson: true,
  http: { method: 'PUT', path: '/api/auth/sessions/current/account' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ account_id: z.string().max(100).nullable() }),
  output: z.object({
    account_id: z.string().describe('The account that it acts for from now on.'),
    role: MemberRole.describe('What the person is there.'),
  }),
  refuses: ['person_needed', 'forbidden'],

  async run({ account_id }, { store, caller, commit, forgetCallers }) {
    const { keyId: id, personId } = caller
    const person = await store.persons.get(personId)
    if (!person) return refuse('invalid_credential', sessionEnded)
    const chosen = account_id ?? person.account_id
    const role = await roleIn(store, await store.accounts.get(chosen), personId)
    if (role === undefined) {
      return refuse('forbidden', 'You are no member of this account.', {
        hint: '<auth.me> lists yours.',
      })
    }
    const isOwn = chosen === person.account_id
    const change = isOwn
      ? ({ $unset: { account_id: true } } as const)
      : { $set: { account_id: chosen } }
    const writes: Write[] = [whileSignedIn(id), { in: 'sessions', update: { id }, change }]
    const answer = await commit({ account_id: chosen, role }, writes).catch((cause: unknown) => {
      if (cause instanceof Unmet) return refuse('invalid_credential', sessionEnded, { cause })
      throw cause
    })
    forgetCallers()
    return answer
  },
})
