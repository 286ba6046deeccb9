import * as z from 'zod'
import { anyAgent } from '#src/agents/access.ts'
import { unknownFilters } from '#src/core/words/empty-list.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, warnedPageOf } from '#src/core/page.ts'
import { linesOfWallet } from '#src/money/wallet/lines.ts'
import { Transaction, transactionKinds } from '#src/money/wallet/transaction.ts'

export const transactions = operation({
  name: 'wallet.transactions',
  summary: "List the transactions of the account's wallet, newest first.",
  example: { kind: 'earning', char_id: 'ada', limit: 20 },
  auth: 'key',
  http: { method: 'GET', path: '/api/wallet/transactions' },
  toolsets: ['payments'],
  input: z.strictObject({
    ...pageInput,
    kind: z.enum(transactionKinds).optional(),
    char_id: z.string().max(128).optional().describe('Only those of services of this agent.'),
  }),
  output: warnedPageOf(Transaction),
  // A description contains the name that another account gave its service.
  untrusted: true,
  refuses: ['cursor_invalid'],

  async run({ kind, char_id, ...page }, context) {
    const { store, caller } = context
    const { rows, next } = await linesOfWallet(store, caller.accountId, { kind, char_id }, page)
    const agent = char_id === undefined ? undefined : () => anyAgent(context, char_id)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
      await unknownFilters({ rows, ...page }, { char_id: agent }),
    )
  },
})
