import type { Memory } from './memory.ts'
import { blocksOf, type Block } from './read.ts'
import { curlRequest, httpRequest, sent, type Request } from './requests.ts'

/** The doors that a page shows its calls at. */
export type Door = 'REST' | 'MCP' | 'A2A'

/** What one call of a page has answered. */
export interface Step {
  heading: string
  /** The line of HTTP that it is. */
  line: string
  answer: unknown
}

/** A call as a page shows it, once for each door. */
type Shown = { readonly [D in Door]?: Block }

const doors: Readonly<Record<string, Door>> = { http: 'REST', 'json mcp': 'MCP', 'json a2a': 'A2A' }

/** The calls of a page, in their order. */
function callsOf(blocks: readonly Block[]): Shown[] {
  const calls: { -readonly [D in Door]?: Block }[] = []
  for (const block of blocks) {
    const door = doors[block.info]
    if (door === 'REST') calls.push({ REST: block })
    else if (door) Object.assign(calls.at(-1) ?? {}, { [door]: block })
  }
  return calls
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
 * @param takes which headings' calls are made; by default all
 */
export async function walked(
  page: string,
  memory: Memory,
  { door = 'REST', takes = () => true }: { door?: Door; takes?: (heading: string) => boolean },
): Promise<Step[]> {
  const blocks = blocksOf(page)
  const steps: Step[] = []
  for (const call of callsOf(blocks)) {
    if (!call.REST || !takes(call.REST.heading)) continue
    const byHttp = filledIn(httpRequest(call.REST.text), memory)
    const shown = call[door]
    if (!shown) throw new Error(`${call.REST.text} is not shown at the ${door} door`)
    const request = door === 'REST' ? byHttp : atDoor(wayOf(blocks, door), shown, byHttp, memory)
    const answer = await sent(request)
    memory.learn(answer)
    if (typeof memory.told('challenge') === 'string' && memory.told('counter') === undefined) {
      memory.solve(page)
    }
    const line = `${byHttp.method} ${byHttp.url}`
    steps.push({ heading: call.REST.heading, line, answer })
  }
  return steps
}

function filledIn({ method, url, headers, body }: Request, memory: Memory): Request {
  const filled = Object.entries(headers).map(([name, value]) => [name, memory.filled(value)])
  return {
    method,
    url: memory.filled(url),
    headers: Object.fromEntries(filled),
    ...(body !== undefined && { body: memory.filled(body) }),
  }
}

/** The same call at another door, with the credential that it has over HTTP. */
function atDoor(way: Request, { text }: Block, byHttp: Request, memory: Memory): Request {
  const { Authorization: _, ...headers } = way.headers
  const { Authorization } = byHttp.headers
  return {
    ...way,
    headers: { ...headers, ...(Authorization !== undefined && { Authorization }) },
    body: memory.filled(text),
  }
}
