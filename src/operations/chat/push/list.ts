import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { chatExample, ofChat, ownChat } from '#src/runs/chat/push/own-chat.ts'
import { ShownTarget, shownTarget } from '#src/runs/chat/push/target.ts'

/** Lists where notifications of a chat task go: at most a few, so without pages. */
export const list = operation({
  name: 'chat.push.list',
  summary: 'List the addresses that the changes of a task are sent to.',
  example: chatExample,
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}' },
  toolsets: ['messages'],
  input: z.strictObject(ofChat),
  output: z.object({ items: z.array(ShownTarget) }),
  refuses: ['run_not_found'],
  internal: true,

  async run({ char_id, chat_id }, context) {
    const { id } = await ownChat(context, char_id, chat_id)
    const sort = { config_id: 1 } as const
    const found = await context.store.push_targets.find({ chat_id: id }, { sort })
    return { items: found.map(shownTarget) }
  },
})
