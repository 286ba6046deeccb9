import * as z from 'zod'
import { ApiKeyRecord } from '#src/accounts/account.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const list = operation({
  name: 'api_keys.list',
  summary: 'List the keys of the account, masked, newest first.',
  example: { limit: 20 },
  auth: 'key',
  http: { method: 'GET', path: '/api/api-keys/' },
  toolsets: ['account'],
  input: z.strictObject(pageInput),
  output: pageOf(ApiKeyRecord),
  refuses: ['cursor_invalid'],

  async run(page, { store, caller }) {
    const order = { list: `api_keys ${caller.accountId}`, by: 'id', direction: -1 } as const
    const { rows, next } = await readPage(
      store.api_keys,
      { account_id: caller.accountId },
      page,
      order,
    )
    return pageAnswer(
      rows.map((row) => row.text),
      next,
    )
  },
})
