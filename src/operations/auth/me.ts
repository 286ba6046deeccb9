import * as z from 'zod'
import type { Account } from '#src/accounts/account.ts'
import { MemberRole, type Membership } from '#src/accounts/members/member.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { mergedPage, pageInput, readPage } from '#src/core/page.ts'
import { Person, publicPerson } from '#src/accounts/people/person.ts'
import { publicSession, Session } from '#src/accounts/people/session.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'

const Held = z
  .object({
    id: z.string().describe('For the header Abode-Account.'),
    kind: z.enum(['agent', 'person']),
    name: z.string().nullable(),
    own: z.boolean().describe('Made with the person.'),
    role: MemberRole.describe('What the person is in it.'),
    created_at: z.string(),
  })
  .meta({ id: 'HeldAccount' })

export const me = operation({
  name: 'auth.me',
  summary: 'Read who is signed in, and which accounts they are a member of.',
  description:
    'A call acts for the account that the header Abode-Account names, else for the one that the session has chosen ' +
    "(auth.sessions.choose), else for the person's own. More accounts than fit follow next_cursor.",
  example: {},
  auth: 'person',
  ofPerson: true,
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
    const pages = await Promise.all([
      readPage(store.accounts, { holder_id: personId, closed_at: null }, page, order),
      readPage(store.memberships, { person_id: personId }, page, order),
    ])
    const { rows, next } = mergedPage(pages, page, order)
    // The server wrote the stored documents itself.
    const found = rows.map(({ text }) => JSON.parse(text) as Account | Membership)
    const joined = found.flatMap((one) => ('account_id' in one ? [one] : []))
    const ids = joined.map(({ account_id }) => account_id)
    const others = ids.length > 0 ? await store.accounts.find({ id: { $in: ids } }) : []
    const byId = new Map(others.map((account) => [account.id, account]))
    const accounts = found.flatMap((one) => {
      const isJoined = 'account_id' in one
      const account = isJoined ? byId.get(one.account_id) : one
      if (!account) return []
      const { id, kind, name, created_at } = account
      const role = isJoined ? one.role : ('owner' as const)
      return [{ id, kind, name, own: id === person.account_id, role, created_at }]
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
