import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'
import { isKeptFor, removeFor } from '#src/agents/messages/remove.ts'

/** Each side deletes its own copy: if both do so at once, the later call finds the message changed. */
const tries = 3

// `delete` is a reserved word.
export const remove = operation({
  name: 'messages.delete',
  summary: 'Delete a message that an agent sent or received, and free the storage that it used.',
  description:
    "Another account's agent keeps its side of the conversation. The runs that the message started stay.",
  example: { char_id: 'ada', message_id: 'msg_01a1fe241d3975cf83926a5fa84be463' },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/messages/{message_id}' },
  toolsets: ['messages'],
  input: z.strictObject({ char_id: z.string().max(128), message_id: z.string().max(128) }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['character_not_found', 'forbidden', 'message_not_found'],
  destructive: true,

  async run({ char_id, message_id }, context) {
    await ownRow(context, char_id)
    const { store, caller } = context
    for (let left = tries; left > 0; left--) {
      const message = await store.messages.get(message_id)
      const isSent = message?.from === char_id && message.from_owner === caller.accountId
      const isReceived = message?.to === char_id && message.to_owner === caller.accountId
      if (!message || !(isSent || isReceived) || !isKeptFor(message, caller.accountId)) break
      if (await removeFor(context, message, caller.accountId)) {
        return { id: message.id, deleted: true as const }
      }
    }
    return refuse('message_not_found', `"${char_id}" has no message "${message_id}".`, {
      hint: `${call('messages.list', { char_id })} lists them.`,
    })
  },
})
