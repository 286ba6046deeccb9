import { chatOperations } from '#src/catalog/chat.ts'
import type { ChatShown } from '#src/runs/chat/view.ts'
import type { Core } from '#src/core/door.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { World } from '#tests/support/world.ts'

/** How an operation is called. */
export interface As {
  key?: string | undefined
  address?: string
  idempotencyKey?: string
}

/** Calls chat operations, which the catalog of a world does not hold. */
export interface Chats {
  /** The answer's value; throws the refusal. */
  ask<T = ChatShown>(operation: Operation, input: object, as?: As): Promise<T>
  /** The refusal; fails the test on an answer. */
  refused(operation: Operation, input: object, as?: As): Promise<Refusal>
  /** Sends words to `ada`, with other members as `more` says. */
  say(text: string, as?: As, more?: object): Promise<ChatShown>
}

let sent = 0

/** An input of chat.send. */
export function saying(text: string, more: object = {}): object {
  return { char_id: 'ada', message_id: `message-${(sent += 1)}`, parts: [{ text }], ...more }
}

export function chatsOf(core: Core): Chats {
  const call = (operation: Operation, input: object, as: As = {}) => {
    const { key: credential, address = '192.0.2.0', idempotencyKey } = as
    return core.serve({ operation, input, credential, address, idempotencyKey, requestId: 'test' })
  }
  const ask: Chats['ask'] = async (operation, input, as) => {
    const { answer, refusal } = await call(operation, input, as)
    if (refusal) throw refusal
    // The test says what it expects of the operation's answer.
    return JSON.parse(answer.text) as never
  }
  return {
    ask,
    async refused(operation, input, as) {
      const { answer, refusal } = await call(operation, input, as)
      if (answer) throw new Error(`it was not refused: ${answer.text}`)
      return refusal
    },
    say: (text, as, more) => ask(chatOperations.send, saying(text, more), as),
  }
}

/** An agent that takes messages, and the tasks that they may start. */
export function talker(id: string, chat: string, tasks: readonly object[] = [echo]): object {
  return {
    id,
    name: id,
    visibility: { profile_visibility: 'public', ability_access: { chat } },
    heart: { tasks },
  }
}

export const echo = {
  task_id: 'echo',
  name: 'Echo',
  runtime: 'template',
  prompt: 'Heard: {{input}}',
}
export const think = { task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }

/** Makes such an agent. */
export function makeTalker(world: World, key: string, agent: object): Promise<unknown> {
  return world.ask('characters.create', { character: agent }, key)
}
