import * as z from 'zod'
import { Connection } from '#src/accounts/hosts/connection.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'connections.list',
  summary: 'List the programs that a person has connected to the account, newest first.',
  example: { limit: 20 },
  auth: 'person',
  http: { method: 'GET', path: '/api/account/connections' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject(pageInput),
  output: pageOf(Connection),
  refuses: ['person_needed', 'cursor_invalid'],

  async run(page, { store, caller }) {
    const { accountId: account_id } = caller
    const order = { list: `connections ${account_id}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(store.connections, { account_id }, page, order)
    return pageAnswer(
      rows.map(({ text }) => text),
      next,
    )
  },
})
