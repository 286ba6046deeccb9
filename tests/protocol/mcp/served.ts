import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import type { McpDoorOptions } from '#protocol/mcp/options.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { smallDoor } from '../mcp-harness.ts'
import { legacy, modern, type Message } from '../mcp-requests.ts'

export type Send = typeof modern

/** Both eras of the protocol, by the form of their requests. */
export const eras: [string, Send][] = [
  ['2026-07-28', modern],
  ['2025', legacy],
]

/** The product's operations on a store of their own, behind a door with no HTTP between. */
export interface Served {
  world: World
  handle: (request: DoorRequest) => Promise<DoorAnswer>
  close: () => Promise<void>
}

export async function served(
  options: Partial<McpDoorOptions> = {},
  more: WorldOptions = {},
  kind = stores()[0],
): Promise<Served> {
  if (!kind) throw new Error('there is no store to test with')
  const store = await kind.open()
  const world = openWorld(store, more)
  const door = smallDoor(world.core, options)
  return {
    world,
    handle: (request) => door.handle(request),
    async close() {
      await door.close()
      await store.close()
    },
  }
}

/** The headers of a caller with this key. */
export function by(key: string | undefined): { headers: Record<string, string | undefined> } {
  return { headers: { authorization: key && `Bearer ${key}` } }
}

export type Note = Message & { method?: string; params?: Record<string, unknown> }

/** The messages of a stream as they come; nothing where the answer is no stream. */
export async function* messagesOf({ body }: DoorAnswer): AsyncGenerator<Note> {
  if (!(body instanceof ReadableStream)) {
    if (body !== undefined) yield JSON.parse(body) as Note
    return
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      // The door answers JSON-RPC messages only.
      if (data !== undefined) yield JSON.parse(data) as Note
    }
  }
}

/** Reads a stream message by message. */
export class Reading {
  readonly #messages: AsyncGenerator<Note>

  constructor(answer: DoorAnswer) {
    this.#messages = messagesOf(answer)
  }

  /** The next message. @throws Error when the stream has ended */
  async next(): Promise<Note> {
    const { value, done } = await this.#messages.next()
    if (done) throw new Error('the stream has ended')
    return value
  }

  /** All that is left of the stream, until it ends. */
  async rest(): Promise<Note[]> {
    const found: Note[] = []
    for await (const message of this.#messages) found.push(message)
    return found
  }
}
