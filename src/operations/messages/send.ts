import { taskAt } from '#src/agents/tasks/of-run.ts'
import * as z from 'zod'
import { actorFor } from '#src/core/credentials/actor.ts'
import { admitBytesOf, senderOf } from '#src/accounts/room.ts'
import { ownCharacter, unknownAgent } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { sourceOf } from '#src/core/text/untrusted.ts'
import { messageReceived } from '#src/runs/triggers/message-events.ts'
import { Message } from '#src/agents/messages/message.ts'
import { isLetIn, mayDo } from '#src/agents/friends/permission.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { refuseUnheld } from '#src/runs/waits/held.ts'
import { messageRuns, type Delivery } from '#src/runs/triggers/message.ts'
import { unknownTask } from '#src/agents/tasks/access.ts'

export const send = operation({
  name: 'messages.send',
  summary: 'Send a message from one of your agents to another agent.',
  description:
    'It passes between agents of one account, and to accepted friends with the permission ' +
    'message. Tasks of the receiver with an enabled trigger of type message run with it; with ' +
    'task_id exactly that task runs. A message by a key that acts as the sender starts tasks of ' +
    'other agents of its account only over an accepted friendship with the permission run_task; ' +
    'otherwise it only lands in the inbox.',
  use: 'To tell an agent something; task_id starts that task of it. messages_list shows answers.',
  aliases: ['chat'],
  example: { char_id: 'ada', to: 'grace', body: 'The figures are ready.' },
  auth: 'key',
  scope: 'agent',
  oauthScope: 'run',
  http: { method: 'POST', path: '/api/characters/{char_id}/messages', status: 201 },
  toolsets: ['core', 'messages'],
  input: z.strictObject({
    char_id: z.string().max(128).describe('The sender.'),
    to: z.string().max(128),
    body: z.string().min(1).max(32_000),
    task_id: z.string().max(128).nullish().describe('Run exactly this task of the receiver.'),
  }),
  output: Message.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'recipient_unreachable', 'task_not_found'],

  async run({ char_id, to, body, task_id }, context) {
    const { store, clock, caller, commit } = context
    const sender = await ownCharacter(context, char_id)
    const receiver = await store.characters.get(to)
    if (!receiver) return unknownAgent(context, to)
    const permission = task_id ? 'run_task' : 'message'
    const isSibling = caller.charId !== undefined && receiver.owner_id === caller.accountId
    const starts = !isSibling || (await isLetIn(store, sender, receiver, 'run_task'))
    const isRefused = task_id != null && task_id !== '' && !starts
    if (isRefused || !(await mayDo(store, sender, receiver, permission))) {
      return refuse('recipient_unreachable', `"${to}" accepts nothing from "${char_id}".`, {
        hint: `They must be accepted friends with the permission ${permission}.`,
      })
    }
    let only: StoredTask | undefined
    if (task_id) {
      only = await taskAt(store, to, task_id)
      if (!only) return unknownTask(context, to, task_id)
    }
    const by = senderOf(context, receiver.owner_id)
    if (by) await admitBytesOf(context, receiver.owner_id, { sender: by, bytes: 2 * sizeOf(body) })
    const owners = { from_owner: sender.owner_id, to_owner: receiver.owner_id }
    const now = clock.now()
    const draft = { from: char_id, to, body, task_id: task_id ?? null, run_id: null, sender: by }
    const from = { accountId: caller.accountId, charId: char_id }
    const source = sourceOf(from, 'message', receiver.owner_id)
    const startedBy = actorFor(receiver.owner_id, caller)
    const at = { ...draft, created_at: timestamp(now), source, startedBy }
    const delivery = await messageRuns(context, at, only, now, undefined, starts)
    refuseUnheld(delivery.runs)
    const sent = { ...delivery.message, ...owners }
    // The tasks that listen to the event would otherwise be started anyway.
    const events = starts ? await messageReceived(store, sent, undefined, now) : []
    const writes: Write[] = [
      { in: 'messages', insert: sent },
      ...delivery.runs.map((insert): Write => ({ in: 'runs', insert })),
      ...events,
    ]
    // Its sender is answered what it wrote itself.
    const { untrusted: _marked, source: _source, ...shown } = delivery.message
    return commit(withWarnings(shown, unstartedWarnings(delivery)), writes)
  },
})

function unstartedWarnings({ unstarted, message }: Delivery): Warning[] {
  if (unstarted === 0) return []
  const text = `It is in the inbox: the tasks of "${message.to}" that listen start only over an accepted friendship with the permission run_task.`
  return [{ code: 'run_task_missing', message: text }]
}
