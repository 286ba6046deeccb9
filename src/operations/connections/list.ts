import * as z from 'zod'
import { Connection } from '#src/accounts/hosts/connection.ts'
import { OutboundConnection } from '#src/agents/connections/connection.ts'
import { operation } from '#src/core/operation.ts'
import { mergedPage, pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'connections.list',
  summary: 'List the programs and the servers of others that persons have connected, newest first.',
  description:
    'A program calls this service for the account (inbound); a server is called by an agent of it (outbound). One whose state is needs_consent waits for a person at /connect/{id}: its agent cannot call it until then.',
  example: { limit: 20 },
  auth: 'person',
  http: { method: 'GET', path: '/api/account/connections' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject(pageInput),
  output: pageOf(z.discriminatedUnion('direction', [Connection, OutboundConnection])),
  refuses: ['person_needed', 'cursor_invalid'],

  async run(page, { store, caller }) {
    const { accountId } = caller
    const order = { list: `connections ${accountId}`, by: 'created_at', direction: -1 } as const
    const pages = await Promise.all([
      readPage(store.connections, { account_id: accountId }, page, order),
      readPage(store.outbound_connections, { owner_id: accountId }, page, order),
    ])
    const { rows, next } = mergedPage(pages, page, order)
    return pageAnswer(
      rows.map(({ text }) => text),
      next,
    )
  },
})
