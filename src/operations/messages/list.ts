import * as z from 'zod'
import { anyAgent, ownRow } from '#src/agents/access.ts'
import { unknownFilters } from '#src/core/words/empty-list.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, readPage, warnedPageOf } from '#src/core/page.ts'
import { Message } from '#src/agents/messages/message.ts'

export const list = operation({
  name: 'messages.list',
  summary: 'List the messages that an agent sent and received, newest first.',
  use: 'The inbox of an agent too.',
  example: { char_id: 'ada', with: 'grace' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/messages' },
  toolsets: ['core', 'messages'],
  input: z.strictObject({
    char_id: z.string().max(128),
    ...pageInput,
    with: z.string().max(128).optional().describe('Only those to and from this agent.'),
  }),
  output: warnedPageOf(Message),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  async run({ char_id, with: other, ...page }, context) {
    await ownRow(context, char_id)
    const { accountId } = context.caller
    // With their accounts: the id may have belonged to another account before.
    const own = { deleted_by: { $ne: accountId } }
    const sent = { from: char_id, from_owner: accountId, ...own }
    const received = { to: char_id, to_owner: accountId, ...own }
    const both = other === undefined ? [sent, received] : between(sent, received, other)
    const filter = { $or: both }
    const order = {
      list: `messages ${accountId} ${char_id} ${other ?? ''}`,
      by: 'id',
      direction: -1,
    } as const
    const { rows, next } = await readPage(context.store.messages, filter, page, order)
    const agent = other === undefined ? undefined : () => anyAgent(context, other)
    return pageAnswer(
      rows.map((row) => row.text),
      next,
      await unknownFilters({ rows, ...page }, { with: agent }),
    )
  },
})

function between(sent: object, received: object, other: string) {
  return [
    { ...sent, to: other },
    { ...received, from: other },
  ]
}
