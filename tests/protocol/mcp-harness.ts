import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { Answer } from '#src/core/answer.ts'
import type { Call, Core, Outcome } from '#src/core/door.ts'
import type { Context } from '#src/core/context.ts'
import { refuse, Refusal } from '#src/core/errors.ts'
import { validSteps } from '#src/core/input/validate.ts'
import { walk } from '#src/core/input/walk.ts'
import { operation, type Operation } from '#src/core/operation.ts'
import { atOnce } from '#src/core/turns/portions.ts'
import type { Log } from '#src/ports/log.ts'
import type { Door, DoorRequest } from '#protocol/door.ts'
import { mcpDoor } from '#protocol/mcp/door.ts'
import type { McpDoorOptions } from '#protocol/mcp/options.ts'
import { itemStandings } from '#src/catalog/content.ts'
import { runStandings } from '#src/catalog/runs.ts'

const Note = z.object({
  id: z.string(),
  text: z.string().nullable(),
  inner: z.object({ deep: z.object({ deeper: z.object({ x: z.int() }) }) }).optional(),
})

const create = operation({
  name: 'notes.create',
  summary: 'Write a note.',
  description: 'It is kept until it is deleted.',
  example: { id: 'n1', text: 'hello' },
  auth: 'key',
  http: { method: 'POST', path: '/api/notes', status: 201 },
  toolsets: ['core', 'messages'],
  input: z.strictObject({ id: z.string().min(1), text: z.string().nullable().default(null) }),
  output: Note,
  refuses: ['character_id_taken'],
  run({ id, text }) {
    if (id === 'taken') return refuse('character_id_taken', `The id "${id}" is in use.`)
    if (id === 'bug') throw new Error('the inside')
    return { id, text }
  },
})

const get = operation({
  name: 'notes.get',
  summary: 'Read a note.',
  example: { id: 'n1' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/notes/{id}' },
  toolsets: ['core', 'agents'],
  input: z.strictObject({ id: z.string() }),
  output: Note,
  refuses: ['character_not_found'],
  run({ id }) {
    if (id === 'none') return refuse('character_not_found', 'There is no such note.')
    return new Answer(JSON.stringify({ id, text: 'ünïcode "quoted" \u2028 \\ /', n: 1.5 }))
  },
})

const remove = operation({
  name: 'notes.delete',
  summary: 'Delete a note.',
  example: { id: 'n1' },
  auth: 'key',
  http: { method: 'DELETE', path: '/api/notes/{id}' },
  toolsets: ['account'],
  input: z.strictObject({ id: z.string() }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: [],
  run: ({ id }) => ({ id, deleted: true as const }),
})

const open = operation({
  name: 'health.get',
  summary: 'Say whether the service works.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/health' },
  toolsets: ['core'],
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok') }),
  refuses: [],
  run: () => ({ status: 'ok' as const }),
})

const wait = operation({
  name: 'notes.wait',
  summary: 'Wait until the caller goes away.',
  example: {},
  auth: 'none',
  http: { method: 'POST', path: '/api/notes/wait' },
  toolsets: ['tasks'],
  input: z.strictObject({}),
  output: z.object({ status: z.string() }),
  refuses: [],
  run: (_, { signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => resolve({ status: 'aborted' }), { once: true })
    }),
})

const character = operation({
  name: 'characters.get',
  summary: 'Read an agent.',
  example: { char_id: 'ada' },
  auth: 'key',
  http: { method: 'GET', path: '/api/characters/{char_id}' },
  toolsets: ['agents'],
  role: 'read_agent',
  input: z.strictObject({ char_id: z.string() }),
  output: z.looseObject({ id: z.string() }),
  refuses: ['character_not_found', 'forbidden'],
  run({ char_id: id }) {
    if (id === 'none') return refuse('character_not_found', 'There is no such agent.')
    if (id === 'theirs') return refuse('forbidden', 'It is not yours.')
    return { id, name: 'Ada' }
  },
})

const characters = operation({
  name: 'characters.list',
  summary: 'List the agents.',
  example: {},
  auth: 'key',
  http: { method: 'GET', path: '/api/characters/' },
  toolsets: ['agents'],
  proposes: { member: 'char_id', from: 'id' },
  input: z.strictObject({}),
  output: z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) }),
  refuses: [],
  run: () => ({ items: [{ id: 'ada' }, { id: 'bob' }], next_cursor: null }),
})

export const smallCatalog: readonly Operation[] = [
  open,
  create,
  get,
  remove,
  wait,
  character,
  characters,
]

export const goodKey = 'ab_good'

/** A core that keeps its contract towards doors, with nothing behind it. */
export class SmallCore implements Core {
  readonly catalog: readonly Operation[]
  readonly calls: Call[] = []
  limited = false

  constructor(catalog: readonly Operation[] = smallCatalog) {
    this.catalog = catalog
  }

  identify(credential: string): ReturnType<Core['identify']> {
    if (credential === 'ab_offline') throw new Refusal('unavailable', 'The store is away.')
    if (credential !== goodKey) throw new Refusal('invalid_credential', 'There is no such API key.')
    return Promise.resolve({
      kind: 'key',
      subject: 'acc_1',
      accountId: 'acc_1',
      keyId: 'key_1',
      charId: undefined,
      setsPolicy: true,
      claimed: false,
      key: { id: 'key_1', name: 'test', scope_char_id: null, rights: [] },
      personId: undefined,
    })
  }

  async serve(call: Call): Promise<Outcome> {
    this.calls.push(call)
    try {
      return { answer: await this.#run(call), limit }
    } catch (cause) {
      if (cause instanceof Refusal) return { refusal: cause, limit }
      return { refusal: new Refusal('internal_error', 'The server failed at this request.') }
    }
  }

  async #run(call: Call): Promise<Answer> {
    const { operation: op, credential, signal } = call
    if (op.auth === 'key' && credential === undefined) {
      throw new Refusal('unauthenticated', `${op.name} needs an API key.`, { hint: 'Get one.' })
    }
    if (this.limited) {
      throw new Refusal('rate_limited', 'Too many.', { retryAfterSeconds: 7 })
    }
    const { data: input } = atOnce(validSteps(op, walk(call.input, { charactersAtMost: 1e6 })))
    // The operations of this catalog use nothing else of their context.
    const result = await op.run(input, { signal } as Context)
    return result instanceof Answer ? result : new Answer(JSON.stringify(result))
  }
}

const limit = {
  name: 'writes',
  count: 600,
  seconds: 60,
  remaining: 599,
  resetSeconds: 30,
  admitted: true,
}

export class KeptLog implements Log {
  readonly lines: { level: string; message: string; fields: unknown }[] = []
  debug(message: string, fields?: unknown): void {
    this.lines.push({ level: 'debug', message, fields })
  }
  info(message: string, fields?: unknown): void {
    this.lines.push({ level: 'info', message, fields })
  }
  warn(message: string, fields?: unknown): void {
    this.lines.push({ level: 'warn', message, fields })
  }
  error(message: string, fields?: unknown): void {
    this.lines.push({ level: 'error', message, fields })
  }
}

export function doorOptions(core: Core, options: Partial<McpDoorOptions> = {}): McpDoorOptions {
  return {
    core,
    standings: runStandings,
    itemStandings,
    name: 'abode',
    version: '0.1.0',
    publicUrl: 'http://127.0.0.1:8080',
    path: '/mcp',
    log: new KeptLog(),
    hostPolicy: (host) => host.startsWith('127.0.0.1'),
    originPolicy: (origin) => origin === 'http://localhost:6274',
    ...options,
  }
}

export function smallDoor(core: Core, options: Partial<McpDoorOptions> = {}): Door {
  return mcpDoor(doorOptions(core, options))
}

export interface Listening {
  url: string
  close(): Promise<void>
}

/** A door on a real listener, with no framework between. */
export async function listening(door: Door): Promise<Listening> {
  const server = createServer((request, response) => {
    const leaving = new AbortController()
    response.on('close', () => leaving.abort())
    void (async () => {
      const answer = await door.handle(await doorRequest(request, leaving.signal))
      response.writeHead(answer.status, answer.headers)
      if (typeof answer.body === 'object') {
        for await (const part of answer.body) response.write(part)
      }
      response.end(typeof answer.body === 'string' ? answer.body : undefined)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await door.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function doorRequest(request: IncomingMessage, signal: AbortSignal): Promise<DoorRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  let body: unknown
  let parseError = false
  try {
    body = text === '' ? undefined : JSON.parse(text)
  } catch {
    parseError = true
  }
  return {
    method: request.method ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    query: new URL(request.url ?? '', 'http://localhost').searchParams,
    body,
    parseError,
    rawLength: text.length,
    address: '127.0.0.0/24',
    requestId: 'req_1',
    signal,
  }
}
