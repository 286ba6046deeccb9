import { expect } from 'vitest'
import { a2aDoor } from '#protocol/a2a/door.ts'
import type { A2aDoor, A2aDoorOptions } from '#protocol/a2a/options.ts'
import type { DoorAnswer, DoorRequest } from '#protocol/door.ts'
import type { RpcError } from '#protocol/json-rpc.ts'
import { runStandings } from '#src/catalog/runs.ts'
import { policiesFor } from '#protocol/policies.ts'
import type { Store } from '#src/ports/store.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { toldIn } from '#tests/support/doors/details.ts'

const publicUrl = 'http://127.0.0.1:8080'

export interface Sent {
  key?: string
  headers?: Record<string, string>
  query?: string
  address?: string
  signal?: AbortSignal
}

/** The members of a request of the door that a test sets itself. */
export type Posted = Sent & Partial<Omit<DoorRequest, keyof Sent>>

/** An answer of JSON-RPC, with what the tests read of its result. */
export interface RpcAnswer {
  jsonrpc: string
  id: unknown
  result?: Shown
  error?: RpcError & { data?: Shown }
}

/** JSON of which a test says what it expects; a missing member is undefined. */
export type Shown = { [member: string]: Shown } & { [Symbol.iterator](): Iterator<Shown> }

export interface A2aWorld extends World {
  door: A2aDoor
  /** Any body at all, as the transport would hand it over. */
  post(body: unknown, sent?: Posted): Promise<DoorAnswer>
  /** One request by name; fails the test when the answer is no JSON of status 200, or a challenge. */
  rpc(method: string, params?: unknown, sent?: Sent): Promise<RpcAnswer>
  /** The same of version 1.0. */
  rpc1(method: string, params?: unknown, sent?: Sent): Promise<RpcAnswer>
  /** The events of a streaming method of version 1.0, as they come. */
  stream(method: string, params?: unknown, sent?: Sent): AsyncGenerator<RpcAnswer, void>
}

export function openA2a(
  store: Store,
  options: WorldOptions & Partial<A2aDoorOptions> = {},
): A2aWorld {
  const world = openWorld(store, options)
  const { clock, log, sealer } = world.ports
  const door = a2aDoor({
    ...policiesFor(publicUrl),
    core: world.core,
    standings: runStandings,
    store,
    clock,
    log,
    sealer,
    name: 'Abode',
    version: '1.2.3',
    publicUrl,
    path: '/a2a',
    ...options,
  })
  const post: A2aWorld['post'] = (body, sent) => door.handle(posted(body, sent))
  const rpc: A2aWorld['rpc'] = async (method, params, sent) =>
    jsonOf(await post(request(method, params), sent))
  return {
    ...world,
    door,
    post,
    rpc,
    rpc1: (method, params, sent) => rpc(method, params, asOne(sent)),
    async *stream(method, params, sent) {
      yield* eventsOf(await post(request(method, params), asOne(sent)))
    },
  }
}

/** A request as the transport would hand it over, with any body at all. */
export function posted(body: unknown, { key, query, headers, ...rest }: Posted = {}): DoorRequest {
  return {
    method: 'POST',
    headers: {
      host: '127.0.0.1:8080',
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    query: new URLSearchParams(query),
    body,
    rawLength: 100,
    address: '127.0.0.0',
    requestId: 'req_1',
    signal: new AbortController().signal,
    ...rest,
  }
}

/** One call of JSON-RPC. */
export function request(method: string, params: unknown): object {
  return { jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) }
}

/** The same of version 1.0, where it names no other. */
export function asOne(sent: Posted = {}): Posted {
  return { ...sent, headers: { 'a2a-version': '1.0', ...sent.headers } }
}

export function jsonOf(answer: DoorAnswer): RpcAnswer {
  const told = bodyOf(answer)
  // What asks for a credential says so by HTTP too.
  const isChallenge = answer.headers['www-authenticate'] !== undefined
  expect(answer.status).toBe(isChallenge ? told.error?.code : 200)
  return told
}

export function bodyOf(answer: DoorAnswer): RpcAnswer {
  // The test says what it expects of it.
  return toldIn(JSON.parse(textOf(answer)) as RpcAnswer)
}

export function batchOf(answer: DoorAnswer): RpcAnswer[] {
  // As above.
  return JSON.parse(textOf(answer)) as RpcAnswer[]
}

function textOf({ body }: DoorAnswer): string {
  if (typeof body !== 'string') throw new Error('the answer is no text')
  return body
}

/** Ends the stream when the test stops reading. */
export async function* eventsOf({ headers, body }: DoorAnswer): AsyncGenerator<RpcAnswer, void> {
  if (!(body instanceof ReadableStream)) throw new Error('the answer is no stream')
  if (headers['content-type'] !== 'text/event-stream') throw new Error('not server-sent events')
  let text = ''
  for await (const part of body) {
    text += Buffer.from(part).toString()
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith(':')) continue
      if (!event.startsWith('data: ')) throw new Error(`not an event: ${event}`)
      // The door's own answers.
      yield toldIn(JSON.parse(event.slice('data: '.length)) as RpcAnswer)
    }
  }
}

/** The text in a member; fails the test when it is none. */
export function textIn(value: Shown | undefined): string {
  if (typeof value !== 'string') throw new Error('the member is no text')
  return value
}

let messages = 0

/** The params of SendMessage that call an operation, or say words. */
export function message(
  content: string | { operation: string; params?: unknown },
  more: Record<string, unknown> = {},
  configuration?: Record<string, unknown>,
): { message: Record<string, unknown>; configuration?: Record<string, unknown> } {
  messages += 1
  const part = typeof content === 'string' ? { text: content } : { data: content }
  const parts = [part]
  return {
    message: { messageId: `message-${messages}`, role: 'ROLE_USER', parts, ...more },
    ...(configuration && { configuration }),
  }
}

/** The same in the words of version 0.3. */
export function legacyMessage(
  content: string | { operation: string; params?: unknown },
  configuration?: Record<string, unknown>,
): object {
  messages += 1
  const part =
    typeof content === 'string' ? { kind: 'text', text: content } : { kind: 'data', data: content }
  return {
    message: { kind: 'message', messageId: `message-${messages}`, role: 'user', parts: [part] },
    ...(configuration && { configuration }),
  }
}
