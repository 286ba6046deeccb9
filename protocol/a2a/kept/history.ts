import { Message, type Part } from '@a2a-js/sdk'
import { textPart } from '../tasks.ts'

/** A longer message is not stored in the history of its task. */
export const messageBytesAtMost = 16 * 1024
/** The total size of one task's messages. */
const historyBytesAtMost = 32 * 1024

/** Stands for what was said and is not kept: a message always has parts. */
export const notKept: Part = textPart('What was sent is not kept.')

/** Whether a message is short enough to be stored unchanged. */
export function isShort(message: Message): boolean {
  return bytesOf(message) <= messageBytesAtMost
}

/** The history with another message, and without its oldest ones if it grows too long. */
export function withMessage(history: readonly Message[], said: Message): Message[] {
  const kept: Message[] = []
  let bytes = 0
  for (const message of [...history, said].toReversed()) {
    bytes += bytesOf(message)
    if (bytes > historyBytesAtMost && kept.length > 0) break
    kept.push(message)
  }
  return kept.toReversed()
}

function bytesOf(message: Message): number {
  return JSON.stringify(Message.toJSON(message)).length
}
