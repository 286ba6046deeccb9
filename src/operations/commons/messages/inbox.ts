import * as z from 'zod'
import { Conversation, ConversationState } from '#src/commons/letters/letter.ts'
import { withHandleSource } from '#src/commons/source.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const inbox = operation({
  name: 'commons.messages.inbox',
  summary: 'List your conversations in the Commons, newest first.',
  description:
    'It marks nothing as read: commons.messages.conversation does. Those in the state requested ' +
    'wait for you to accept, answer or block.',
  example: { state: 'requested' },
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/inbox' },
  toolsets: ['commons'],
  input: z.strictObject({ ...pageInput, state: ConversationState.optional() }),
  output: pageOf(Conversation),
  refuses: ['cursor_invalid'],
  untrusted: true,

  async run({ state, ...page }, { store, caller }) {
    const filter = { owner: caller.handle, ...(state && { state }) }
    const list = `conversations ${caller.handle} ${state ?? ''}`
    const order = { list, by: 'updated_at', direction: -1 } as const
    const { rows, next } = await readPage(store.commons_conversations, filter, page, order)
    return pageAnswer(
      rows.map((row) => withHandleSource(row.text)),
      next,
    )
  },
})
