import * as z from 'zod'
import { auditHead } from '#src/accounts/audit/commit.ts'
import { auditDays, AuditRecord } from '#src/accounts/audit/record.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const audit = operation({
  name: 'account.audit',
  summary:
    'List what was changed that matters to the security of the account, in a chain of hashes.',
  description:
    'Keys, secrets, gates, visibility, decisions of approvals, claims, sign-ins and deletions: who, ' +
    'with which credential, from which network, what, when; never values. Each record has the ' +
    `hash of the one before, so that none can be changed or left out unseen. Kept for ${auditDays} ` +
    'days. REST answers JSON lines where Accept names application/x-ndjson.',
  example: { order: 'oldest', limit: 100 },
  auth: 'key',
  http: { method: 'GET', path: '/api/account/audit' },
  toolsets: ['account'],
  lines: true,
  input: z.strictObject({
    ...pageInput,
    order: z.enum(['newest', 'oldest']).default('newest'),
  }),
  output: pageOf(AuditRecord).extend({
    head: z
      .object({ seq: z.int(), hash: z.string() })
      .nullable()
      .optional()
      .describe('The newest record of the chain; null before the first.'),
  }),
  refuses: ['cursor_invalid'],

  async run({ order, ...page }, { store, caller }) {
    const { accountId } = caller
    const direction = order === 'newest' ? -1 : 1
    const sorted = { list: `audit ${accountId} ${order}`, by: 'id', direction } as const
    // The head first: of what is recorded meanwhile, the page has no less than it says.
    const head = await auditHead(store, accountId)
    const { rows, next } = await readPage(store.audit, { account_id: accountId }, page, sorted)
    const texts = rows.map(({ text }) => text)
    return pageAnswer(texts, next, { head })
  },
})
