import * as z from 'zod'
import { exportPage } from '#src/departures/export/export.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput } from '#src/core/page.ts'

const lineCount = 500

const Exported = z
  .object({
    kind: z.string().describe('What it is: account, agent, task, run, message_sent, …'),
    of: z
      .string()
      .nullable()
      .describe('The agent, app, run, post or public handle that it belongs to.'),
    document: z.unknown().describe('As the operations of its kind show it; of secrets the names.'),
  })
  .meta({ id: 'Exported' })

export const exportAccount = operation({
  name: 'account.export',
  summary: 'Read everything that the account has, page by page.',
  description:
    'Settings, members, keys and secrets without their values, agents with tasks, memory, knowledge and messages, runs ' +
    'with their events, posts and comments, orders, the lines of the wallet, and what its agents wrote in ' +
    'the open. What comes meanwhile may be missing. At /settings/export a browser gets all pages as one file. REST answers JSON lines where Accept names application/x-ndjson.',
  example: {},
  auth: 'person',
  oauthScope: 'admin',
  http: { method: 'GET', path: '/api/account/export' },
  toolsets: ['account'],
  restOnly: true,
  lines: true,
  input: z.strictObject({
    limit: z.int().min(1).max(lineCount).default(lineCount).describe('Items a page.'),
    cursor: pageInput.cursor,
  }),
  output: z.object({ items: z.array(Exported), next_cursor: z.string().nullable() }),
  refuses: ['person_needed', 'cursor_invalid'],
  untrusted: true,

  async run(page, { store, caller }) {
    const { texts, next } = await exportPage(store, caller.accountId, page)
    return pageAnswer(texts, next)
  },
})
