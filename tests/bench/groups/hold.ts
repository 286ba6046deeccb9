import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openWorld } from '#tests/support/world.ts'
import { agentWithTasks } from '../documents.ts'
import type { Bench, Group } from '../group.ts'
import { prose } from '../prose.ts'
import { startProduct } from '../servers.ts'
import type { Row } from '../table/targets.ts'
import { Client, type Held } from './knowledge-client.ts'
import { htmlPage, pdfOf, pngOf } from './knowledge-stock.ts'

const pages = 200
const pageCharacters = 6_000
const pdfBytes = 5_000_000
const photos = 5
const photoBytes = 5_000_000
const textBytes = 3_900_000
const agents = 50

/** How long the event loop is held at most while much comes in. */
export const hold: Group = {
  name: 'hold',
  async measure(bench) {
    const folder = join(bench.folder, 'hold')
    const key = await keyOf(folder)
    const site = await startWebServer()
    const server = await startProduct(folder, {
      ABODE_OUTBOUND_ALLOW: site.origin,
      ABODE_METRICS: 'on',
    })
    try {
      const client = new Client(server, key)
      await measured(bench, client, site)
    } finally {
      await server.end()
      site.close()
    }
  },
}

async function keyOf(folder: string): Promise<string> {
  const store = await openStore({ folder })
  try {
    return (await openWorld(store).account()).key
  } finally {
    await store.close()
  }
}

/** Gives the agent at this path something, and says how many items of knowledge it is. */
type Work = (client: Client, agent: string, site: WebServer) => Promise<number>

const works: readonly (readonly [Row, Work])[] = [
  ['holdPhoto', sendPhotos],
  ['holdManifest', provision],
  ['holdText', sendText],
  ['holdPdf', learnPdf],
  ['holdPages', learnPages],
]

/**
 * One after the other, each twice, for an agent of its own. The first time also loads what a start leaves
 * out, once in the life of a process: it is told, and the second time is held to the target.
 */
async function measured(bench: Bench, client: Client, site: WebServer): Promise<void> {
  for (const [row, work] of works) {
    if (!bench.asked.has(row)) continue
    bench.say(row)
    const held = async (time: string): Promise<Held> => {
      const agent = `pupil-of-${row.toLowerCase()}-${time}`
      await client.agent(agent)
      await client.held()
      const items = await work(client, agent, site)
      await client.hasRead(agent, items)
      return client.held()
    }
    try {
      const first = await held('first')
      const { longest, computed } = await held('second')
      const absolute =
        `${computed.toFixed(1)} ms of it computing; ${first.longest.toFixed(1)} ms the first time, ` +
        `${first.computed.toFixed(1)} of it computing`
      bench.note(row, { value: longest, absolute })
    } catch (cause) {
      bench.note(row, { fault: String(cause) })
    }
  }
}

const pathOf = (agent: string): string => `/api/characters/${agent}`

async function sendPhotos(client: Client, agent: string): Promise<number> {
  const picture = new Blob([pngOf(photoBytes)], { type: 'image/png' })
  for (let n = 0; n < photos; n++) {
    const form = new FormData()
    form.append('file', picture, `${n}.png`)
    await client.call('POST', `${pathOf(agent)}/photos`, form)
  }
  return 0
}

/** Looked at first, as a careful caller does. */
async function provision(client: Client, agent: string): Promise<number> {
  const own = Array.from({ length: agents }, (_, n) => {
    const { id: local_id, ...rest } = agentWithTasks(`member-${n}`)
    return { ...rest, local_id }
  })
  const connections = own.flatMap((_, n) =>
    [1, 2, 3].map((step) => ({
      from: `member-${n}`,
      to: `member-${(n + step) % agents}`,
      permissions: ['message', 'run_task'],
    })),
  )
  const manifest = {
    manifest_version: 1,
    app_id: `team-of-${agent}`,
    name: 'Team',
    agents: own,
    connections,
  }
  await client.call('POST', '/api/agent-apps/?dry_run=true', manifest)
  await client.call('POST', '/api/agent-apps/', manifest)
  return 0
}

async function sendText(client: Client, agent: string): Promise<number> {
  const paragraphs = Array.from({ length: textBytes / 1000 }, (_, n) => prose(n, 990))
  const file = new Blob([paragraphs.join('\n\n')], { type: 'text/plain' })
  const form = new FormData()
  form.append('files', file, 'book.txt')
  await client.call('POST', `${pathOf(agent)}/knowledge/files`, form)
  return 1
}

async function learnPdf(client: Client, agent: string, site: WebServer): Promise<number> {
  const pdf = pdfOf(pdfBytes)
  const url = site.on('/book.pdf', (_, response) =>
    response.setHeader('content-type', 'application/pdf').end(pdf),
  )
  await client.call('POST', `${pathOf(agent)}/knowledge/learn`, { url })
  return 1
}

async function learnPages(client: Client, agent: string, site: WebServer): Promise<number> {
  const urls = Array.from({ length: pages }, (_, n) => {
    const text = htmlPage(n, pageCharacters)
    return site.on(`/page/${n}`, (_request, response) =>
      response.setHeader('content-type', 'text/html').end(text),
    )
  })
  for (let from = 0; from < pages; from += 100) {
    const some = urls.slice(from, from + 100)
    await client.call('POST', `${pathOf(agent)}/knowledge/learn-bulk`, { urls: some })
  }
  return pages
}
