import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { Memory } from '#tests/e2e/newcomer/memory.ts'
import { linesOf, sendingOf, type Line, type Way } from '#tests/support/guides/lines.ts'

let server: Serving
// What one newcomer asks in the Commons, the next must not ask again.
beforeEach(async () => {
  server = await serving({}, catalog)
})
afterEach(() => server[Symbol.asyncDispose]())

/** What a newcomer has sent and read so far. */
class Meter {
  calls = 0
  bytes = 0

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    // A client of MCP also says that it is ready, and asks whether it can listen, which no one awaits.
    if (!/"method":"notifications\//.test(text(init)) && response.status !== 405) this.calls++
    const answer = await response.clone().text()
    this.bytes += Buffer.byteLength(answer.replaceAll(server.url, longer))
    return response
  }

  async read(address: string): Promise<string> {
    const response = await this.fetch(address)
    expect([address, response.status]).toEqual([address, 200])
    return response.text()
  }
}

/** An address as long as those of servers in use. */
const longer = 'https://agents.somewhere.example.org'

const text = (init: RequestInit | undefined): string =>
  typeof init?.body === 'string' ? init.body : ''

type Answer = Readonly<Record<string, unknown>>

/** A way in: the page that it leads to, and how calls of it are made. */
interface Entry {
  page: string
  /** The calls of one request. */
  send(calls: readonly Line[], key: string | undefined): Promise<Answer[]>
}

const entries: Readonly<Record<Way, (meter: Meter) => Promise<Entry>>> = {
  async rest(meter) {
    const { links } = JSON.parse(await meter.read(`${server.url}/`)) as { links: { skill: string } }
    return {
      page: await meter.read(links.skill),
      send: (calls, key) =>
        Promise.all(
          calls.map(async (call) => {
            const { url, init } = sendingOf(call, server.url, key)
            const response = await meter.fetch(url, init)
            const answer = (await response.json()) as Answer
            expect(response.ok, JSON.stringify(answer)).toBe(true)
            return 'ok' in answer ? (answer['data'] as Answer) : answer
          }),
        ),
    }
  },

  async mcp(meter) {
    let key: string | undefined
    const client = new Client({ name: 'newcomer', version: '1.0.0' })
    const address = new URL(`${server.url}/mcp?toolsets=core`)
    const transport = new StreamableHTTPClientTransport(address, {
      fetch(url, init) {
        const headers = new Headers(init?.headers)
        if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
        return meter.fetch(url, { ...init, headers })
      },
    })
    await client.connect(transport)
    const [uri = ''] = /\babode:\/\/\S+(?=,)/.exec(client.getInstructions() ?? '') ?? []
    const { tools } = await client.listTools()
    const { contents } = await client.readResource({ uri })
    const [page] = contents.map((content) => ('text' in content ? content.text : ''))
    return {
      page: page ?? '',
      async send(calls, given) {
        key = given
        const answers: Answer[] = []
        for (const { called, input } of calls) {
          expect(tools.map(({ name }) => name)).toContain(called)
          const sent = { name: called, arguments: JSON.parse(input) as Answer }
          const { isError, content } = await client.callTool(sent)
          const [first] = content
          const said = first?.type === 'text' ? first.text : ''
          expect(isError, `${called}: ${said}`).not.toBe(true)
          // What others wrote stands between two marks.
          answers.push(JSON.parse(/^\{.*\}$/m.exec(said)?.[0] ?? '') as Answer)
        }
        return answers
      },
    }
  },

  async a2a(meter) {
    const card = JSON.parse(await meter.read(`${server.url}/a2a/.well-known/agent-card.json`)) as {
      url: string
      documentationUrl: string
    }
    return {
      page: await meter.read(card.documentationUrl),
      async send(calls, key) {
        const bodies = calls.map(({ called: method, input }, id) => ({
          jsonrpc: '2.0',
          id,
          method,
          params: JSON.parse(input) as Answer,
        }))
        const response = await meter.fetch(card.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify(bodies.length > 1 ? bodies : bodies[0]),
        })
        const answers = [await response.json()].flat() as { result?: Answer; error?: object }[]
        return answers.map(({ result, error }) => {
          expect(error).toBeUndefined()
          return result ?? {}
        })
      },
    }
  },
}

/** What a newcomer has come for, as titles of steps say it. */
const aims = /\b(?:key|app|run|brain|result|chain|Ask|Reply)\b/

/** The numbered calls of a page that a newcomer needs, those that it lets go together in one list. */
function wantedOf(page: string, way: Way): Line[][] {
  const titles = [...page.matchAll(/^(\d+)\. \*\*(.+?)\*\*/gm)]
  const wanted = titles.filter(([, , title = '']) => aims.test(title)).map(([, at]) => Number(at))
  const [, first, second] =
    /send (\d+) and (\d+) as one/.exec(page.slice(page.indexOf('## A2A'))) ?? []
  const lines = linesOf(page, way).filter(({ number = 0 }) => wanted.includes(number))
  expect(lines).toHaveLength(wanted.length)
  return lines.reduce<Line[][]>((groups, line) => {
    const before = groups.at(-1)
    const joins = way === 'a2a' && line.number === Number(second)
    if (joins && before?.[0]?.number === Number(first)) before.push(line)
    else groups.push([line])
    return groups
  }, [])
}

/** Asks the agent that its app has opened, as a stranger does. */
async function spokenTo(charId: string): Promise<string> {
  const message = { messageId: charId, role: 'ROLE_USER', parts: [{ text: 'tides' }] }
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
  const { text: said } = await server.ask(`/a2a/${charId}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify(body),
  })
  return said
}

interface Walked {
  answers: Answer[]
  key: string
  /** What the last agent of the app answered a stranger. */
  heard: string
}

/** From a way in to the end of the page. */
async function walked(way: Way, meter: Meter): Promise<Walked> {
  const entry = await entries[way](meter)
  const memory = new Memory()
  const answers: Answer[] = []
  let heard = ''
  for (const group of wantedOf(entry.page, way)) {
    const calls = group.map((line) => ({
      ...line,
      called: way === 'rest' ? memory.filled(line.called) : line.called,
      input: memory.filled(line.input),
    }))
    for (const answer of await entry.send(calls, memory.credential('ab_'))) {
      memory.learn(answer)
      answers.push(answer)
      const agents = answer['agents'] as { id: string }[] | undefined
      if (agents && heard === '') heard = await spokenTo(agents.at(-1)?.id ?? '')
    }
  }
  return { answers, key: memory.credential('ab_') ?? '', heard }
}

/** Calls and bytes that are read: no way in may take more. */
const bounds: readonly [Way, { calls: number; bytes: number }][] = [
  ['rest', { calls: 12, bytes: 30_000 }],
  ['mcp', { calls: 12, bytes: 40_000 }],
  ['a2a', { calls: 10, bytes: 20_000 }],
]

it.each(bounds)(
  'a newcomer at the %s door reads little until all is reached',
  async (way, most) => {
    const meter = new Meter()
    const { answers, key, heard } = await walked(way, meter)
    const [claim, app, run, lease, handed, chain, thread, reply, end] = answers
    expect(claim).toMatchObject({ api_key: expect.stringMatching(/^ab_/) })
    expect(app?.['agents']).toHaveLength(3)
    expect(heard).toContain('Front page. tides')
    expect(run).toMatchObject({ status: 'queued', reason: 'waiting_for_worker' })
    expect(lease).toMatchObject({ run: { id: run?.['id'] }, prompt: 'Find out about tides' })
    expect(handed).toMatchObject({ id: run?.['id'], status: 'completed' })
    expect(chain).toMatchObject({ chain: { ended: true } })
    expect(JSON.stringify(chain)).toContain('"Front page. NEWS: High water is at seven."')
    expect(reply).toMatchObject({ thread_id: thread?.['id'] })
    const replies = await server.ask(`/api/commons/threads/${String(thread?.['id'])}/replies`)
    expect(replies.text).toContain(`"id":"${String(reply?.['id'])}"`)
    expect(end).toMatchObject({ deleted: true })
    const authorization = `Bearer ${key}`
    const left = await server.ask('/api/characters/', { headers: { authorization } })
    expect(left.text).toContain('"items":[]')
    expect(meter.calls).toBeLessThanOrEqual(most.calls)
    expect(meter.bytes).toBeLessThanOrEqual(most.bytes)
  },
)
