import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { noChat, seenChat } from '#src/runs/chat/access.ts'
import { ChatShown } from '#src/runs/chat/view.ts'
import { shownTo, standingOf } from '#src/runs/chat/state.ts'

export const get = operation({
  name: 'chat.get',
  summary: 'Read the state and the result of a message to a hosted agent.',
  example: { char_id: 'ada', id: 'run_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}/tasks/{id}' },
  toolsets: ['messages'],
  input: z.strictObject({ char_id: z.string().max(128), id: z.string().max(256) }),
  output: ChatShown,
  refuses: ['run_not_found'],
  untrusted: true,
  internal: true,

  async run({ char_id, id }, context) {
    const chat = await seenChat(context, char_id, id)
    const standing = await standingOf(context.store, chat.id)
    if (standing) return shownTo(context, chat, standing)
    return noChat(id)
  },
})
