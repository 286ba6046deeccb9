import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { chatExample, ofTarget, ownChat } from '#src/runs/chat/push/own-chat.ts'
import { ShownTarget, shownTarget, targetId } from '#src/runs/chat/push/target.ts'

/** Returns where notifications of a chat task go. */
export const get = operation({
  name: 'chat.push.get',
  summary: 'Read the notification config of a task under an id.',
  example: { ...chatExample, id: 'mine' },
  auth: 'none',
  http: { method: 'GET', path: '/a2a/{char_id}' },
  toolsets: ['messages'],
  input: z.strictObject(ofTarget),
  output: ShownTarget,
  refuses: ['run_not_found', 'push_config_not_found'],
  internal: true,

  async run({ char_id, chat_id, id }, context) {
    const { id: found } = await ownChat(context, char_id, chat_id)
    const target = await context.store.push_targets.get(targetId(found, id))
    if (target) return shownTarget(target)
    return refuse('push_config_not_found', 'The task has no notification config with this id.')
  },
})
