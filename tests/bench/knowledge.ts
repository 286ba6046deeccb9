import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { htmlPage, pdfOf, pngOf, stockKnowledge } from './knowledge-stock.ts'
import { drive, type Load, type Subject } from './load.ts'
import { prose, queriesOf } from './prose.ts'
import type { Pace } from './rounds.ts'
import { startProduct } from './servers.ts'

/** Pieces that are known, by fifty agents. */
const chunks = 20_000
const connections = 16
const textBytes = 1_000_000
const texts = 12
const pages = 200
const pageCharacters = 6_000
const pdfBytes = 5_000_000
const photos = 5
const photoBytes = 5_000_000
/** What is measured is the time from one tick to the next. */
const betweenTicksMs = 10
const betweenLooksMs = 20
const patienceMs = 300_000

/** What knowledge costs where much is known. */
export interface KnowledgeFigures {
  /** Milliseconds. */
  searchP99: number
  chunksASecond: number
  /** The longest that the event loop was held while pages, a PDF and photos came in, in milliseconds. */
  longestHold: number
}

/** What many agents know, searched, and what one more is given to know. */
export async function knowledge(
  folder: string,
  pace: Pace,
  say: (text: string) => void,
): Promise<KnowledgeFigures> {
  say(`storing ${chunks} pieces of knowledge`)
  const { key, agents } = await stockKnowledge(folder, chunks)
  const site = await startWebServer()
  const server = await startProduct(folder, {
    ABODE_OUTBOUND_ALLOW: site.origin,
    ABODE_METRICS: 'on',
  })
  try {
    const client = new Client(server, key)
    say('searching knowledge')
    const load = searches(key, agents)
    await drive(server, load, pace.warmUp, connections)
    const { p99: searchP99 } = await drive(server, load, pace.slice * pace.rounds, connections)
    say('indexing texts')
    const chunksASecond = await indexed(client)
    say('learning pages, a PDF and photos')
    const longestHold = await learned(client, site)
    return { searchP99, chunksASecond, longestHold }
  } finally {
    await server.end()
    site.close()
  }
}

function searches(key: string, agents: readonly string[]): Load {
  const queries = queriesOf(100).map(encodeURIComponent)
  const headers = { authorization: `Bearer ${key}` }
  let turn = 0
  return {
    next: () => {
      turn += 1
      const [agent, q] = [agents[turn % agents.length], queries[turn % queries.length]]
      const path = `/api/characters/${agent}/knowledge/search?q=${q}&limit=10`
      return { method: 'GET', path, headers }
    },
    sign: '"items":[',
  }
}

class Client {
  readonly #url: string
  readonly #key: string

  constructor({ url }: Subject, key: string) {
    this.#url = url
    this.#key = key
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData
    const response = await fetch(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status} ${text}`)
    // As its documents say.
    return JSON.parse(text) as T
  }

  /**
   * The longest that the server's event loop was held since this was asked last, as the server itself
   * measures it: seen from outside, it could not be told from a client that waits for a core.
   */
  async longestHold(): Promise<number> {
    const page = await (await fetch(`${this.#url}/metrics`)).text()
    const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(page) ?? []
    if (seconds === undefined) throw new Error('the metrics do not tell of the event loop')
    return Math.max(0, Number(seconds) * 1000 - betweenTicksMs)
  }

  agent(id: string): Promise<object> {
    return this.call('POST', '/api/characters/', { id, name: 'A pupil' })
  }

  /** Waits until nothing of what the agent was given is left to be read; gives the pieces it made. */
  async hasRead(agent: string, items: number): Promise<number> {
    for (const begun = performance.now(); performance.now() - begun < patienceMs;) {
      const counts = await Promise.all(
        ['queued', 'fetching'].map((status) => this.#some(agent, status)),
      )
      if (counts.every((count) => count === 0)) return this.#pieces(agent, items)
      await sleep(betweenLooksMs)
    }
    throw new Error('what was to be learned was not read in time')
  }

  async #some(agent: string, status: string): Promise<number> {
    const path = `/api/characters/${agent}/knowledge?limit=1&status=${status}`
    return (await this.call<{ items: object[] }>('GET', path)).items.length
  }

  async #pieces(agent: string, expected: number): Promise<number> {
    let [pieces, found, cursor] = [0, 0, '']
    for (;;) {
      const path = `/api/characters/${agent}/knowledge?limit=100&status=indexed${cursor}`
      const page = await this.call<{ items: KnowledgeItem[]; next_cursor: string | null }>(
        'GET',
        path,
      )
      for (const { chunks } of page.items) pieces += chunks
      found += page.items.length
      if (page.next_cursor === null) break
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
    }
    if (found !== expected) throw new Error(`${found} of ${expected} items could be read`)
    return pieces
  }
}

/** Plain texts, from the first that is sent to the last that is found. */
async function indexed(client: Client): Promise<number> {
  const agent = 'pupil-of-texts'
  await client.agent(agent)
  const sent = Array.from({ length: texts }, (_, n) => {
    const paragraphs = Array.from({ length: textBytes / 1000 }, (_, i) => prose(n * 1000 + i, 990))
    return { title: `Text ${n}`, content: paragraphs.join('\n\n').slice(0, textBytes) }
  })
  const path = `/api/characters/${agent}/knowledge/texts`
  // The thread that reads, and its libraries, are there from now on.
  await client.call('POST', path, { title: 'First', content: 'A first text.' })
  await client.hasRead(agent, 1)
  const begun = performance.now()
  for (const text of sent) await client.call('POST', path, text)
  const pieces = await client.hasRead(agent, texts + 1)
  return (pieces / (performance.now() - begun)) * 1000
}

/** How long the event loop is held at most meanwhile. */
async function learned(client: Client, site: WebServer): Promise<number> {
  const agent = 'pupil-of-pages'
  await client.agent(agent)
  const html = (_: unknown, n: number): string => {
    const text = htmlPage(n, pageCharacters)
    return site.on(`/page/${n}`, (_request, response) =>
      response.setHeader('content-type', 'text/html').end(text),
    )
  }
  const urls = Array.from({ length: pages }, html)
  const pdf = pdfOf(pdfBytes)
  const url = site.on('/book.pdf', (_, response) =>
    response.setHeader('content-type', 'application/pdf').end(pdf),
  )
  const picture = new Blob([pngOf(photoBytes)], { type: 'image/png' })
  const base = `/api/characters/${agent}`
  await client.longestHold()
  await client.call('POST', `${base}/knowledge/learn`, { url })
  for (let from = 0; from < pages; from += 100) {
    const some = urls.slice(from, from + 100)
    await client.call('POST', `${base}/knowledge/learn-bulk`, { urls: some })
  }
  for (let n = 0; n < photos; n++) {
    const form = new FormData()
    form.append('file', picture, `${n}.png`)
    await client.call('POST', `${base}/photos`, form)
  }
  await client.hasRead(agent, pages + 1)
  return client.longestHold()
}
