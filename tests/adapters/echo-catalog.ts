import * as z from 'zod'
import { answer, Answer, type StreamEvent } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation, type Operation } from '#src/core/operation.ts'

/** What an echo heard: the input as the operation got it, and what came along with it. */
export const Heard = z.looseObject({ input: z.unknown() })

function hear(input: unknown, { address, traceparent, expected }: Context) {
  return { input, address, traceparent: traceparent ?? null, expected: expected ?? null }
}

const open = {
  auth: 'none',
  toolsets: [],
  output: Heard,
  refuses: [],
  limits: [],
} as const

const get = operation({
  ...open,
  name: 'echo.get',
  example: { id: 'a' },
  summary: 'Hear a read.',
  http: { method: 'GET', path: '/api/echo/{id}', also: ['/api/rooms/{room}/echo/{id}'] },
  input: z.strictObject({
    id: z.string(),
    room: z.string().optional(),
    limit: z.int().min(1).max(100).default(20),
    ratio: z.number().optional(),
    loud: z.boolean().default(false),
    tags: z.array(z.string()).optional(),
    counts: z.array(z.int()).optional(),
    either: z.union([z.int(), z.string()]).optional(),
  }),
  run: hear,
})

const mark = operation({
  ...open,
  name: 'echo.mark',
  example: {},
  summary: 'Hear a read that notes what it shows.',
  http: { method: 'GET', path: '/api/marked' },
  input: z.strictObject({}),
  marks: true,
  run: hear,
})

const any = operation({
  ...open,
  name: 'echo.any',
  example: {},
  summary: 'Hear a read with any query.',
  http: { method: 'GET', path: '/api/any', anyQuery: true },
  input: z.strictObject({}),
  run: hear,
})

const paid = operation({
  ...open,
  name: 'echo.paid',
  example: {},
  summary: 'Hear a header.',
  http: { method: 'POST', path: '/api/paid', headers: { payment: 'X-Pay' } },
  input: z.strictObject({ payment: z.string().optional() }),
  run: (input, context) => context.commit(hear(input, context), []),
})

const send = operation({
  ...open,
  name: 'echo.send',
  example: { text: 'Hello' },
  summary: 'Hear a body.',
  http: { method: 'POST', path: '/api/echo/', status: 201 },
  input: z.strictObject({ text: z.string(), loud: z.boolean().optional() }),
  bodyBytes: 2048,
  run: (input, context) => context.commit(hear(input, context), []),
})

const poke = operation({
  ...open,
  name: 'echo.poke',
  example: { id: 'a' },
  summary: 'Hear a body that may be left out.',
  http: { method: 'POST', path: '/api/echo/{id}/poke' },
  input: z.strictObject({ id: z.string(), why: z.string().optional() }),
  run: (input, context) => context.commit(hear(input, context), [], { pending: true }),
})

const write = operation({
  ...open,
  name: 'echo.write',
  example: { id: 'a', thing: { size: 1 } },
  summary: 'Hear a document.',
  http: { method: 'PUT', path: '/api/echo/{id}' },
  input: z.strictObject({
    id: z.string(),
    thing: z.looseObject({ size: z.int().optional() }),
    dry_run: z.boolean().optional(),
  }),
  document: 'thing',
  run: (input, context) => answer(hear(input, context), { revision: 7 }),
})

const keep = operation({
  ...open,
  name: 'echo.keep',
  example: { id: 'a', thing: 1 },
  summary: 'Hear any JSON.',
  http: { method: 'PUT', path: '/api/kept/{id}' },
  input: z.strictObject({ id: z.string(), thing: z.json() }),
  document: 'thing',
  run: hear,
})

const drop = operation({
  ...open,
  name: 'echo.drop',
  example: { id: 'a' },
  summary: 'Hear a deletion.',
  http: { method: 'DELETE', path: '/api/echo/{id}' },
  input: z.strictObject({ id: z.string(), keep: z.boolean().optional() }),
  destructive: true,
  run: hear,
})

const keyed = operation({
  ...open,
  auth: 'key',
  name: 'echo.keyed',
  example: {},
  summary: 'Hear a holder of a key.',
  http: { method: 'GET', path: '/api/keyed' },
  input: z.strictObject({}),
  run: hear,
})

/** A text that is worth compressing. */
export const longText = 'All work and no play makes Jack a dull boy. '.repeat(100)

const long = operation({
  ...open,
  name: 'echo.long',
  example: {},
  summary: 'Give a long text, of which the third revision is the current one.',
  http: { method: 'GET', path: '/api/long' },
  input: z.strictObject({}),
  run: () => answer({ input: longText }, { revision: 3 }),
})

const secret = operation({
  ...open,
  name: 'echo.secret',
  example: {},
  summary: 'Give a long secret.',
  http: { method: 'GET', path: '/api/secret' },
  input: z.strictObject({}),
  secret: true,
  run: () => ({ input: longText }),
})

const limited = operation({
  ...open,
  name: 'echo.limited',
  example: {},
  summary: 'Hear twice a minute.',
  http: { method: 'POST', path: '/api/limited' },
  input: z.strictObject({}),
  limits: ['votes'],
  run: hear,
})

const broken = operation({
  ...open,
  name: 'echo.broken',
  example: {},
  summary: 'Fail.',
  http: { method: 'GET', path: '/api/broken' },
  input: z.strictObject({}),
  run: () => {
    throw new Error('a detail of the inside')
  },
})

const away = operation({
  ...open,
  name: 'echo.away',
  example: {},
  summary: 'Be unavailable.',
  http: { method: 'GET', path: '/api/away' },
  input: z.strictObject({}),
  refuses: ['unavailable'],
  run: () => refuse('unavailable', 'Away.', { retryAfterSeconds: 3.2 }),
})

/** Resolves for each call of echo.wait that has begun, and tells how it ended. */
export const waits: { begun: () => void; ended: (how: string) => void } = {
  begun: () => undefined,
  ended: () => undefined,
}

const wait = operation({
  ...open,
  name: 'echo.wait',
  example: {},
  summary: 'Wait until the caller goes or the server stops.',
  http: { method: 'POST', path: '/api/wait' },
  input: z.strictObject({ wait_seconds: z.int().default(60) }),
  run: (input, { signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        waits.ended('aborted')
        resolve({ input })
      })
      waits.begun()
    }),
})

async function* counting(signal: AbortSignal | undefined): AsyncGenerator<StreamEvent> {
  for (let i = 1; i <= 3; i++) yield { id: String(i), type: 'count', text: JSON.stringify({ i }) }
  await new Promise((resolve) => signal?.addEventListener('abort', resolve))
}

const events = operation({
  ...open,
  name: 'echo.events',
  example: {},
  summary: 'Count to three, then wait for the end.',
  http: { method: 'GET', path: '/api/events' },
  input: z.strictObject({ cursor: z.string().optional() }),
  run: hear,
  follow: async (_, { signal }) => new Answer('', { events: counting(signal) }),
})

/** Operations that say what reached them, one for each thing that HTTP can do to a call. */
export const echoes: readonly Operation[] = [
  get,
  mark,
  any,
  paid,
  send,
  poke,
  write,
  keep,
  drop,
  keyed,
  long,
  secret,
  limited,
  broken,
  away,
  wait,
  events,
]
