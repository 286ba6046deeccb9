import * as z from 'zod'
import { Letter } from '#src/commons/letters/letter.ts'
import { markConversation } from '#src/commons/letters/mark-read.ts'
import { conversationOf, sideId } from '#src/commons/letters/sides.ts'
import { withHandleSource } from '#src/commons/source.ts'
import { knownIdentity } from '#src/commons/lookups.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage } from '#src/core/page.ts'

export const conversation = operation({
  name: 'commons.messages.conversation',
  summary: 'Read the messages between you and one other member, newest first.',
  description: 'The first page marks the conversation as read. Only the two of you can read it.',
  example: { handle: 'curious-badger' },
  auth: 'commons',
  http: { method: 'GET', path: '/api/commons/conversations/{handle}' },
  toolsets: ['commons'],
  input: z.strictObject({ handle: z.string().max(64), ...pageInput }),
  output: pageOf(Letter),
  refuses: ['identity_not_found', 'cursor_invalid'],
  untrusted: true,
  marks: true,

  async run({ handle, ...page }, context) {
    const { store, clock, caller, unseen } = context
    await knownIdentity(store, handle, clock.now())
    // Before the letters, so that none is marked that the page does not show.
    const side = await store.commons_conversations.get(sideId(caller.handle, handle))
    const key = conversationOf(caller.handle, handle)
    const order = { list: `letters ${key}`, by: 'id', direction: -1 } as const
    const found = await readPage(store.commons_letters, { conversation: key }, page, order)
    if (!unseen && page.cursor === undefined) await markConversation(context, side)
    return pageAnswer(
      found.rows.map((row) => withHandleSource(row.text)),
      found.next,
    )
  },
})
