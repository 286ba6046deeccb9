import { blocksOf } from './blocks.ts'

/** The doors at which pages show calls, one a line. */
export const ways = ['rest', 'mcp', 'a2a'] as const
/** One of them. */
export type Way = (typeof ways)[number]

/** A call as a line of a page shows it. */
export interface Line {
  way: Way
  /** Method and path over REST, else the tool or the method. */
  called: string
  /** The body, the arguments or the params; empty without one. */
  input: string
  /** Where the page numbers its calls. */
  number?: number
}

/** The calls of a page at one door, in order, with the manifest that they name. */
export function linesOf(page: string, way: Way): Line[] {
  const blocks = blocksOf(page)
  const manifest = blocks.find(({ info }) => info.join(' ') === 'json manifest')?.text.trim() ?? ''
  return blocks
    .filter(({ info }) => info[0] === way)
    .flatMap(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => lineOf(line, way, manifest)),
    )
}

function lineOf(line: string, way: Way, manifest: string): Line {
  const form = way === 'rest' ? /^(?:(\d+)\. )?(\S+ \S+)(?: (.+))?$/ : /^(?:(\d+)\. )?(\S+) (.+)$/
  const [, number, called, input = ''] = form.exec(line) ?? []
  if (called === undefined) throw new Error(`this is no call at the door ${way}: ${line}`)
  const whole = input.replaceAll('MANIFEST', () => manifest)
  return { way, called, input: whole, ...(number !== undefined && { number: Number(number) }) }
}

/** A call as it is sent. */
export interface Sending {
  url: string
  init: { method: string; headers: Record<string, string>; body?: string }
}

/** How a page says that a line is sent. @param base the address of the server, with the path of its doors */
export function sendingOf(
  { way, called, input }: Line,
  base: string,
  credential: string | undefined,
): Sending {
  const headers = {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(input !== '' && { 'content-type': 'application/json' }),
  }
  if (way === 'rest') {
    const [method = '', path = ''] = called.split(' ')
    const key = method === 'POST' && { 'idempotency-key': crypto.randomUUID() }
    const init = { method, headers: { ...headers, ...key }, ...(input !== '' && { body: input }) }
    return { url: base + path, init }
  }
  const [method, params] =
    way === 'a2a' ? [called, input] : ['tools/call', `{"name":"${called}","arguments":${input}}`]
  return {
    url: `${base}/${way}`,
    init: {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
    },
  }
}
