import type { Memory } from './memory.ts'
import { blocksOf, type Block } from './read.ts'
import { curlRequest, sent, type Request } from './requests.ts'

/** The doors that a page shows its calls at. */
export type Door = 'REST' | 'MCP' | 'A2A'

/** What one call of a page has answered. */
export interface Step {
  heading: string
  /** Method and address over REST, else the tool or the method. */
  line: string
  answer: unknown
}

const languages: Readonly<Record<Door, string>> = { REST: 'rest', MCP: 'mcp', A2A: 'a2a' }

/** A line of a block: what is called, and with what. */
interface Call {
  heading: string
  called: string
  input: string
}

/** The calls of a page at one door, in their order. */
function callsOf(blocks: readonly Block[], door: Door): Call[] {
  const whole = blocks.find(({ info }) => info === 'json manifest')?.text ?? ''
  const form = door === 'REST' ? /^(?:\d+\. )?(\S+ \S+)(?: (.+))?$/ : /^(?:\d+\. )?(\S+) (.+)$/
  return blocks
    .filter(({ info }) => info.split(' ')[0] === languages[door])
    .flatMap(({ heading, text }) =>
      text.split('\n').map((line) => {
        const [, called = '', input = ''] = form.exec(line) ?? []
        return { heading, called, input: input.replaceAll('MANIFEST', () => whole) }
      }),
    )
}

/** How a body is sent to a door of JSON-RPC: as the page's own example is. */
function wayOf(blocks: readonly Block[], door: Door): Request {
  const examples = blocks
    .filter(({ info, text }) => info === 'sh' && text.includes('"jsonrpc"'))
    .map(({ text }) => curlRequest(text))
  const way = examples.find(({ body = '' }) => body.includes('"tools/call"') === (door === 'MCP'))
  if (!way) throw new Error(`the page does not show how the ${door} door is called`)
  return way
}

/**
 * Makes the calls of a page one after the other, with what it has learned in place of capital words.
 * @param base the address of the server, after which the paths of lines come
 * @param takes which headings' calls are made; by default all
 */
export async function walked(
  { page, base }: { page: string; base: string },
  memory: Memory,
  { door = 'REST', takes = () => true }: { door?: Door; takes?: (heading: string) => boolean },
): Promise<Step[]> {
  const blocks = blocksOf(page)
  const steps: Step[] = []
  for (const call of callsOf(blocks, door)) {
    if (door === 'REST' && !takes(call.heading)) continue
    const request = requestOf(call, blocks, { door, base, memory })
    const answer = await sent(request)
    memory.learn(answer)
    if (typeof memory.told('challenge') === 'string' && memory.told('counter') === undefined) {
      memory.solve(page)
    }
    const line = door === 'REST' ? `${request.method} ${request.url}` : call.called
    steps.push({ heading: call.heading, line, answer })
  }
  return steps
}

interface Walk {
  door: Door
  base: string
  memory: Memory
}

function requestOf(call: Call, blocks: readonly Block[], { door, base, memory }: Walk): Request {
  const [called, input] = [memory.filled(call.called), memory.filled(call.input)]
  const credential = credentialFor(call, memory)
  const Authorization = credential && `Bearer ${credential}`
  if (door === 'REST') {
    const [method = '', path = ''] = called.split(' ')
    const headers = {
      ...(Authorization && { Authorization }),
      ...(input !== '' && { 'Content-Type': 'application/json' }),
      ...(method === 'POST' && { 'Idempotency-Key': crypto.randomUUID() }),
    }
    return { method, url: base + path, headers, ...(input !== '' && { body: input }) }
  }
  const way = wayOf(blocks, door)
  const { Authorization: _, ...headers } = way.headers
  const [method, params] =
    door === 'A2A' ? [called, input] : ['tools/call', `{"name":"${called}","arguments":${input}}`]
  return {
    ...way,
    headers: { ...headers, ...(Authorization && { Authorization }) },
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
  }
}

/** In the Commons the newest token of a handle, unless an agent of the account is named; else its key. */
function credentialFor({ called, input }: Call, memory: Memory): string | undefined {
  const asHandle = called.includes('/api/commons/') && !input.includes('"as_char_id"')
  return asHandle ? memory.credential('cmn_', 'last') : memory.credential('ab_')
}
