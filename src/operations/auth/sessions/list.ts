import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'
import { liveSessions, Session } from '#src/accounts/people/session.ts'

export const list = operation({
  name: 'auth.sessions.list',
  summary: 'List where the person is signed in, newest first.',
  example: { limit: 20 },
  auth: 'person',
  ofPerson: true,
  http: { method: 'GET', path: '/api/auth/sessions' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject(pageInput),
  output: pageOf(Session),
  refuses: ['person_needed', 'cursor_invalid'],

  async run(page, { store, caller, clock }) {
    const order = { list: `sessions ${caller.personId}`, by: 'id', direction: -1 } as const
    const live = liveSessions(caller.personId, clock.now())
    const { rows, next } = await readPage(store.sessions, live, page, order)
    const shown = rows.map(({ id, text }) => {
      // The server wrote the stored document itself, and it hides what is never shown.
      const session = JSON.parse(text) as Omit<Session, 'current' | 'account_id'>
      return JSON.stringify({ account_id: null, ...session, current: id === caller.keyId })
    })
    return pageAnswer(shown, next)
  },
})
