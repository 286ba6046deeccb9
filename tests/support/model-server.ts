import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool that the model wants called; arguments that are text go out as they are. */
export interface ScriptedCall {
  name: string
  arguments: object | string
  id?: string
}

/** What the model does when it is asked next. */
export interface ScriptedTurn {
  /** Pieces of text, one event each. */
  text?: string[]
  calls?: ScriptedCall[]
  /** As the dialect has it; by default what fits. */
  finish?: string
  usage?: { input: number; output: number }
  /** An error in place of a turn. */
  status?: number
  message?: string
  headers?: Record<string, string>
  /** The connection breaks after the text. */
  cut?: 'broken' | 'ended'
  /** After the text nothing more comes, until the caller goes away. */
  hangs?: true
  /** Raw bytes in place of events. */
  raw?: string
}

/** A request as it came in. */
export interface AskedOf {
  path: string
  headers: IncomingHttpHeaders
  // What a provider is sent has a form of its own, which each test looks at.
  body: Record<string, never> & {
    messages: { role: string; content: unknown }[]
    tools?: { function?: { name: string }; name?: string }[]
  }
}

/** A server that speaks as OpenAI's chat completions and as Anthropic's messages. */
export interface ModelServer {
  origin: string
  /** For `OPENAI_BASE_URL`; the other dialect has the same. */
  baseUrl: string
  asked: AskedOf[]
  /** Adds turns, given one for each request in order; after them come those of `answers`. */
  plays(...turns: ScriptedTurn[]): void
  /** Resolves when the caller of a request that hangs has gone. */
  left: Promise<void>
  close(): void
}

/** @param answers what it does where no turn is left; by default the answer is status 500 */
export async function startModelServer(answers = atItsEnd): Promise<ModelServer> {
  const script: ScriptedTurn[] = []
  const asked: AskedOf[] = []
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const next = (one: AskedOf) => script.shift() ?? answers(one)
    void answer(request, response, next, asked, leave)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host has an address with a port.
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    baseUrl: `${origin}/v1`,
    asked,
    left,
    plays: (...turns) => void script.push(...turns),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function atItsEnd(_asked: AskedOf): ScriptedTurn {
  return { status: 500, message: 'the script is at its end' }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  next: (asked: AskedOf) => ScriptedTurn,
  asked: AskedOf[],
  leave: () => void,
): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const path = request.url ?? ''
  // The library sends JSON; a test that finds another form fails on it.
  const one = { path, headers: request.headers, body: JSON.parse(body) as never }
  asked.push(one)
  const turn = next(one)
  const dialect = path.endsWith('/messages') ? anthropic : openai
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
    response.end(JSON.stringify(dialect.error(turn.message ?? 'no')))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (turn.raw !== undefined) return void response.end(turn.raw)
  for (const event of dialect.text(turn)) response.write(event)
  if (turn.hangs) return void response.once('close', leave)
  if (turn.cut === 'ended') return void response.end()
  // What was written must be out before the socket goes.
  if (turn.cut === 'broken') return void setTimeout(() => response.destroy(), 20)
  for (const event of dialect.end(turn)) response.write(event)
  response.end()
}

interface Dialect {
  text(turn: ScriptedTurn): string[]
  end(turn: ScriptedTurn): string[]
  error(message: string): object
}

let made = 0

function argumentsOf(call: ScriptedCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
}

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })}\n\n`

const openai: Dialect = {
  text: ({ text = [] }) => [
    chunk({ role: 'assistant', content: '' }),
    ...text.map((content) => chunk({ content })),
  ],
  end({ calls = [], finish, usage }) {
    const called = calls.flatMap((call, index) => {
      const id = call.id ?? `call_${++made}`
      const whole = argumentsOf(call)
      const half = Math.ceil(whole.length / 2)
      // Arguments come in pieces, as they do from a real one.
      return [
        { index, id, type: 'function', function: { name: call.name, arguments: '' } },
        { index, function: { arguments: whole.slice(0, half) } },
        { index, function: { arguments: whole.slice(half) } },
      ].map((one) => chunk({ tool_calls: [one] }))
    })
    const { input, output } = usage ?? { input: 10, output: 5 }
    const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
    return [
      ...called,
      chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
      chunk({}, null, { choices: [], usage: tokens }),
      'data: [DONE]\n\n',
    ]
  },
  error: (message) => ({ error: { message, type: 'invalid_request_error', code: null } }),
}

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

const anthropic: Dialect = {
  text({ text = [], usage }) {
    const input_tokens = usage?.input ?? 10
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens, output_tokens: 0 },
    }
    if (text.length === 0) return [event('message_start', { message })]
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...text.map((one) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: one } }),
      ),
      event('content_block_stop', { index: 0 }),
    ]
  },
  end({ calls = [], finish, usage }) {
    const called = calls.flatMap((call, i) => {
      const index = i + 1
      const id = call.id ?? `toolu_${++made}`
      const content_block = { type: 'tool_use', id, name: call.name, input: {} }
      const delta = { type: 'input_json_delta', partial_json: argumentsOf(call) }
      return [
        event('content_block_start', { index, content_block }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ]
    })
    const stop_reason = finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
    const output_tokens = usage?.output ?? 5
    return [
      ...called,
      event('message_delta', { delta: { stop_reason }, usage: { output_tokens } }),
      event('message_stop', {}),
    ]
  },
  error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
}
