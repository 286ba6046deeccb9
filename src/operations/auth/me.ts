import * as z from 'zod'
import type { Account } from '#src/accounts/account.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, readPage } from '#src/core/page.ts'
import { Person, publicPerson } from '#src/accounts/people/person.ts'
import { publicSession, Session } from '#src/accounts/people/session.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'

const Held = z
  .object({
    id: z.string().describe('For the header Abode-Account.'),
    kind: z.enum(['agent', 'person']),
    name: z.string().nullable(),
    own: z.boolean().describe('Made at registration; every other account was claimed.'),
    created_at: z.string(),
  })
  .meta({ id: 'HeldAccount' })

export const me = operation({
  name: 'auth.me',
  summary: 'Read who is signed in, and which accounts they hold.',
  description:
    "A session acts for the person's own account, or for the one that the header Abode-Account names. More " +
    'accounts than fit follow next_cursor.',
  example: {},
  auth: 'person',
  http: { method: 'GET', path: '/api/auth/me' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({ ...pageInput, limit: pageInput.limit.default(100) }),
  output: z.object({
    person: Person,
    session: Session,
    account_id: z.string().describe('The account that this call acts for.'),
    accounts: z.array(Held).describe('The oldest first.'),
    next_cursor: z.string().nullable(),
  }),
  refuses: ['person_needed', 'cursor_invalid'],

  async run(page, { store, caller }) {
    const { personId, keyId, accountId } = caller
    const [person, session] = await Promise.all([
      store.persons.get(personId),
      store.sessions.get(keyId),
    ])
    if (!person || !session) return refuse('invalid_credential', sessionEnded)
    const order = { list: `accounts ${personId}`, by: 'id', direction: 1 } as const
    const { rows, next } = await readPage(store.accounts, { holder_id: personId }, page, order)
    const accounts = rows.map(({ text }) => {
      // The server wrote the stored document itself.
      const { id, kind, name, created_at } = JSON.parse(text) as Account
      return { id, kind, name, own: id === person.account_id, created_at }
    })
    return {
      person: publicPerson(person),
      session: publicSession(session, keyId),
      account_id: accountId,
      accounts,
      next_cursor: next,
    }
  },
})
