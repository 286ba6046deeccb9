import { createHmac, randomUUID } from 'node:crypto'
import type { Sealer } from '#src/core/seal.ts'

/** The ids of a new task and, if the message names none, of its context. */
export interface NewIds {
  taskId: string
  contextId: string
}

/** Ids that no one else can guess, although a message that is sent again gets the same ones. */
export class TaskIds {
  readonly #key: Buffer

  constructor(sealer: Pick<Sealer, 'derive'>) {
    this.#key = sealer.derive('a2a task ids')
  }

  /**
   * For a message that takes effect once, however often it is sent.
   * @param mark tells it from another of the same id
   */
  ofMessage(owner: string, messageId: string, mark?: string): NewIds {
    const named = mark === undefined ? `${owner}\n${messageId}` : `${owner}\n${mark}\n${messageId}`
    const bytes = createHmac('sha256', this.#key).update(named).digest()
    return { taskId: uuidOf(bytes, 0), contextId: uuidOf(bytes, 16) }
  }

  /** For a message that is answered again each time. */
  next(): NewIds {
    return { taskId: randomUUID(), contextId: randomUUID() }
  }
}

/** A UUID of version 8, whose content is up to its maker. */
function uuidOf(bytes: Buffer, from: number): string {
  const hex = bytes.toString('hex', from, from + 16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
