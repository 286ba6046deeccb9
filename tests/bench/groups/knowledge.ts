import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf } from '#adapters/extractor/chunks/chunks.ts'
import { markToken } from '#adapters/store/sqlite/search/tables.ts'
import { noteOutcomes, valueOf, wanted, type Bench, type Group } from '../group.ts'
import { once, type Load } from '../load.ts'
import { median } from '../measure.ts'
import { prose, queriesOf } from '../prose.ts'
import { inRounds } from '../rounds.ts'
import { startBare, startProduct, type Started } from '../servers.ts'
import type { Result } from '../table/report.ts'
import { targetOf } from '../table/targets.ts'
import { Client } from './knowledge-client.ts'
import { stockKnowledge } from './knowledge-stock.ts'

/** Pieces that are known, by fifty agents. */
const chunks = 20_000
const connections = 16
const textBytes = 1_000_000
/** Of each round. */
const texts = 3
const hitsShown = 10
const searches = 'searches, 16 at a time'

/** What many agents know, searched, and what one more is given to know. */
export const knowledge: Group = {
  name: 'knowledge',
  async measure(bench) {
    const folder = join(bench.folder, 'knowledge')
    bench.say(`storing ${chunks} pieces of knowledge`)
    const { key, agents } = await stockKnowledge(folder, chunks)
    const server = await startProduct(folder, { ABODE_METRICS: 'on' })
    try {
      const searched = wanted(bench, 'knowledge').filter((row) => row !== 'knowledgeIndexing')
      if (searched.length > 0) await search(bench, server, { folder, key, agents })
      if (!bench.asked.has('knowledgeIndexing')) return
      bench.note('knowledgeIndexing', await index(bench, new Client(server, key)))
    } finally {
      await server.end()
    }
  },
}

interface Known {
  folder: string
  key: string
  agents: readonly string[]
}

async function search(bench: Bench, server: Started, known: Known): Promise<void> {
  bench.say('searching knowledge')
  const { key, agents } = known
  const bare = await startBare('search', known.folder)
  try {
    const headers = { authorization: `Bearer ${key}` }
    const entry = {
      name: searches,
      subject: server,
      load: searchesOf(agents, (agent, q) => ({
        path: `/api/characters/${agent}/knowledge/search?q=${q}&limit=${hitsShown}`,
        headers,
      })),
      floors: [
        {
          name: targetOf('knowledgeSearchCost').floor ?? '',
          subject: bare,
          load: searchesOf(agents, (agent, q) => ({
            path: `/?agent=${agent}&q=${q}&limit=${hitsShown}`,
          })),
        },
      ],
    }
    const found = await inRounds([entry], await bench.echo(), bench.pace, bench.say)
    noteOutcomes(bench, ['knowledgeSearchCost'], found)
    const p99 = valueOf(found.get(searches), (figures) => figures.p99)
    bench.note('knowledgeSearch', p99)
  } finally {
    await bare.end()
  }
}

type Asked = (agent: string, q: string) => { path: string; headers?: Record<string, string> }

function searchesOf(agents: readonly string[], asked: Asked): Load {
  const queries = queriesOf(100).map(encodeURIComponent)
  let turn = 0
  return {
    connections,
    next: () => {
      turn += 1
      const [agent = '', q = ''] = [agents[turn % agents.length], queries[turn % queries.length]]
      return { method: 'GET', ...asked(agent, q) }
    },
    sign: '"items":[',
  }
}

/** Plain texts, from the first that is sent to the last that is found, next to bare inserts. */
async function index({ folder, pace, say }: Bench, client: Client): Promise<Result> {
  say('indexing texts')
  const agent = 'pupil-of-texts'
  await client.agent(agent)
  const path = `/api/characters/${agent}/knowledge/texts`
  // The thread that reads, and its libraries, are there from now on.
  await client.call('POST', path, { title: 'First', content: 'A first text.' })
  let before = await client.hasRead(agent, 1)
  const own = join(folder, 'pieces')
  await mkdir(own)
  const bare = await startBare('pieces', own)
  const [ours, theirs]: [number[], number[]] = [[], []]
  try {
    for (let round = 0; round < pace.rounds; round++) {
      const some = Array.from({ length: texts }, (_, n) => textOf(round * texts + n))
      const sent = some.map((text, n) => piecesOf(text, `${round}-${n}`))
      const count = sent.reduce((sum, pieces) => sum + pieces.length, 0)
      theirs.push(await secondsOf(count, () => insertAll(bare, sent)))
      ours.push(
        await secondsOf(count, async () => {
          for (const [n, content] of some.entries()) {
            await client.call('POST', path, { title: `Text ${round}-${n}`, content })
          }
          const after = await client.hasRead(agent, 1 + (round + 1) * texts)
          if (after - before !== count) throw new Error(`${after - before} of ${count} pieces`)
          before = after
        }),
      )
    }
  } finally {
    await bare.end()
  }
  const value = median(ours.map((rate, at) => rate / (theirs[at] ?? Number.NaN)))
  const absolute = `${median(ours).toFixed(0)} a second over ${median(theirs).toFixed(0)}`
  return { value, absolute }
}

/** How many a second that was. */
async function secondsOf(count: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (count / (performance.now() - begun)) * 1000
}

function textOf(seed: number): string {
  const paragraphs = Array.from({ length: textBytes / 1000 }, (_, i) => prose(seed * 1000 + i, 990))
  return paragraphs.join('\n\n').slice(0, textBytes)
}

/** As the product cuts it: what is inserted by hand is the same. */
function piecesOf(text: string, edition: string): object[] {
  const shelf = markToken(0, 'pupil-of-texts')
  const about = { shelf, edition: markToken(1, edition), item_id: edition }
  return [...chunksOf({ text, markup: 'markdown', place: null })].map((chunk, position) => {
    return { id: `${edition}/${position}`, ...about, position, ...chunk }
  })
}

async function insertAll(bare: Started, sent: readonly object[][]): Promise<void> {
  for (const pieces of sent) {
    const body = JSON.stringify(pieces)
    await once(bare, { next: () => ({ method: 'POST', path: '/', body }), sign: '"ok":true' })
  }
}
