import * as z from 'zod'
import { isSender, seenChat } from '../access.ts'
import type { ChatTask } from '../chat.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Write } from '#src/ports/store.ts'
import {
  SentTarget,
  ShownTarget,
  shownTarget,
  targetId,
  targetOf,
  targetsAtMost,
} from './target.ts'

const chat = { char_id: z.string().max(128), chat_id: z.string().min(1).max(256) }
const one = { ...chat, id: z.string().min(1).max(128) }
const at = (method: 'GET' | 'POST' | 'DELETE') => ({ method, path: '/a2a/{char_id}' }) as const
const example = { char_id: 'ada', chat_id: 'run_01a1fe241d3975cf83926a5fa84be463' }

/** Sets where notifications of a chat task go; the same id again replaces what was set under it. */
export const pushSet = operation({
  name: 'chat.push.set',
  summary: 'Have the changes of a task sent to an address.',
  example: { ...example, target: { url: 'https://receiver.example/a2a' } },
  auth: 'none',
  http: at('POST'),
  toolsets: [],
  input: z.strictObject({ ...chat, target: SentTarget }),
  output: ShownTarget,
  refuses: ['run_not_found', 'run_ended', 'quota_exceeded', 'write_conflict'],

  run({ char_id, chat_id, target: sent }, context) {
    return retryUnmet(async () => {
      const { store } = context
      const found = await ownChat(context, char_id, chat_id)
      if (found.ended_at !== undefined) {
        refuse('run_ended', 'The task has ended: nothing more will be told of it.')
      }
      const target = targetOf(context, found, sent, '/target')
      const before = await store.push_targets.get(target.id)
      const count = found.targets ?? 0
      if (!before && count >= targetsAtMost) {
        refuse('quota_exceeded', `A task has at most ${targetsAtMost} notification configs.`, {
          hint: 'Delete one of them, or set it anew under its own id.',
        })
      }
      const counted = turned(found, before ? count : count + 1)
      const kept: Write = before
        ? { in: 'push_targets', update: { id: target.id }, replace: target }
        : { in: 'push_targets', insert: target }
      const moved = before ? await redirected(context, target.id, target.url) : []
      return context.commit(shownTarget(target), [counted, kept, ...moved])
    })
  },
})

/** Tells where notifications of a chat task go. */
export const pushGet = operation({
  name: 'chat.push.get',
  summary: 'Tell what was set under an id of a task.',
  example: { ...example, id: 'mine' },
  auth: 'none',
  http: at('GET'),
  toolsets: [],
  input: z.strictObject(one),
  output: ShownTarget,
  refuses: ['run_not_found', 'push_config_not_found'],

  async run({ char_id, chat_id, id }, context) {
    const { id: found } = await ownChat(context, char_id, chat_id)
    const target = await context.store.push_targets.get(targetId(found, id))
    return target ? shownTarget(target) : refuse('push_config_not_found', notThere)
  },
})

/** Lists where notifications of a chat task go: a few at most, so without pages. */
export const pushList = operation({
  name: 'chat.push.list',
  summary: 'List where the changes of a task are sent to.',
  example,
  auth: 'none',
  http: at('GET'),
  toolsets: [],
  input: z.strictObject(chat),
  output: z.object({ items: z.array(ShownTarget) }),
  refuses: ['run_not_found'],

  async run({ char_id, chat_id }, context) {
    const { id } = await ownChat(context, char_id, chat_id)
    const sort = { config_id: 1 } as const
    const found = await context.store.push_targets.find({ chat_id: id }, { sort })
    return { items: found.map(shownTarget) }
  },
})

/** Ends notifications to a target, also those that wait; again, it changes nothing. */
export const pushDelete = operation({
  name: 'chat.push.delete',
  summary: 'Send changes of a task to an address no more.',
  example: { ...example, id: 'mine' },
  auth: 'none',
  http: at('DELETE'),
  toolsets: [],
  input: z.strictObject(one),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: ['run_not_found', 'write_conflict'],

  run({ char_id, chat_id, id }, context) {
    return retryUnmet(async () => {
      const found = await ownChat(context, char_id, chat_id)
      const gone = { id, deleted: true as const }
      const target = await context.store.push_targets.get(targetId(found.id, id))
      if (!target) return gone
      return context.commit(gone, [
        turned(found, Math.max(0, (found.targets ?? 0) - 1)),
        { in: 'push_targets', delete: { id: target.id } },
        { in: 'deliveries', delete: { push_target: target.id, status: 'pending' } },
      ])
    })
  },
})

const notThere = 'The task has no notification config of this id.'

/** @throws Refusal `run_not_found`, also where others than the sender may see the task */
async function ownChat(
  context: Pick<Context, 'store' | 'caller' | 'address'>,
  charId: string,
  id: string,
): Promise<ChatTask> {
  const found = await seenChat(context, charId, id)
  if (isSender(context, found)) return found
  return refuse('run_not_found', 'Only who sent a task may have its changes sent somewhere.')
}

/** Binds what was read of the chat task, so that no change of it and no other target comes between. */
function turned({ id, told }: ChatTask, targets: number): Write {
  return {
    in: 'chats',
    update: { id, told: told ?? null },
    change: { $set: { told: (told ?? 0) + 1, targets } },
  }
}

/** What waits for the target goes to its new address. */
async function redirected(
  { store }: Pick<Context, 'store'>,
  push_target: string,
  url: string,
): Promise<Write[]> {
  const waiting = await store.deliveries.pick(['id'], { push_target, status: 'pending' })
  return waiting.map(([id]) => ({
    in: 'deliveries',
    update: { id: id ?? null, status: 'pending' },
    change: { $set: { url } },
  }))
}
