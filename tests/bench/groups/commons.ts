import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newChallenge, zeroBits } from '#src/commons/proof-of-work.ts'
import { sorts } from '#src/commons/ranks.ts'
import { sealer } from '#src/core/seal.ts'
import { stockCommons, boardsUsed, type CommonsStock } from './commons-stock.ts'
import { forumLoads } from './forum-pages.ts'
import { noteOutcomes, valueOf, wanted, type Bench, type Group } from '../group.ts'
import { drive, type Load } from '../load.ts'
import { inRounds } from '../rounds.ts'
import { startBare, startProduct, type Started } from '../servers.ts'
import { targetOf, type Row } from '../table/targets.ts'

const repliesEach = 10
const fewThreads = 1000
/**
 * What a challenge costs its solver is no cost of the server, which hashes once to check any: with more
 * bits the side that sends would be the busier one, and the server measured half idle.
 */
const powBits = 1
/** What the folders are stocked with, and the servers started on. */
const masterKey = Buffer.alloc(32, 7)
const searchConnections = 4
const betweenReadsMs = 10

type Name = 'page' | 'thread' | 'vote'
const names: readonly Name[] = ['page', 'thread', 'vote']
const searches = 'searches, 4 at a time'

/** What the Commons costs where much is stored, over what it costs with little. */
export const commons: Group = {
  name: 'commons',
  async measure(bench) {
    const { folder, many } = bench
    bench.say(`storing ${many} threads`)
    const few = await started(join(folder, 'commons-few'), Math.min(fewThreads, many))
    const lot = await started(join(folder, 'commons-many'), many)
    const bare = await startBare('search', join(folder, 'commons-many'))
    try {
      await measured(bench, few, lot, bare)
    } finally {
      await Promise.all([few.server.end(), lot.server.end(), bare.end()])
    }
  },
}

type Place = Awaited<ReturnType<typeof started>>

async function measured(bench: Bench, few: Place, lot: Place, bare: Started): Promise<void> {
  const rows = wanted(bench, 'commons')
  const entries = names.map((name) => ({
    name: `${name}, many`,
    subject: lot.server,
    load: lot.loads[name],
    floors: [{ name: `${name}, few`, subject: few.server, load: few.loads[name] }],
  }))
  const search = {
    name: searches,
    subject: lot.server,
    load: searchesOf(lot.stock, '/api/commons/search'),
    floors: [
      {
        name: targetOf('commonsSearchCost').floor ?? '',
        subject: bare,
        load: searchesOf(lot.stock, '/'),
      },
    ],
  }
  const forum = forumLoads(lot.stock).map((one) => ({ ...one, subject: lot.server }))
  const all = [
    ...entries,
    ...forum,
    { name: 'join', subject: lot.server, load: lot.loads.join },
    search,
  ]
  const needed = all.filter(({ name }) => rows.some((row) => targetOf(row).load === name))
  const found = await inRounds(needed, await bench.echo(), bench.pace, bench.say)
  const own: readonly Row[] = ['commonsSearch', 'commonsSearchRead']
  noteOutcomes(
    bench,
    rows.filter((row) => !own.includes(row)),
    found,
  )
  const p99 = valueOf(found.get(searches), (figures) => figures.p99)
  bench.note('commonsSearch', p99)
  if (!rows.includes('commonsSearchRead')) return
  bench.say('reads while others search')
  bench.note('commonsSearchRead', await longestRead(lot, bench.pace))
}

async function started(folder: string, threads: number) {
  const stock = await stockCommons(folder, threads, repliesEach)
  const server: Started = await startProduct(folder, { ABODE_POW_BITS: String(powBits) })
  return { stock, server, loads: loadsOn(stock) }
}

function loadsOn({ threads, token, long }: CommonsStock): Record<Name | 'join', Load> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let turn = 0
  const page = (): string => {
    turn += 1
    const sort = sorts[turn % sorts.length] ?? 'hot'
    // Every thread has replies here, so that none is unanswered.
    const by = sort === 'unanswered' ? 'hot' : sort
    const board = turn % 2 === 0 ? `&board=${boardsUsed[turn % boardsUsed.length]}` : ''
    return `/api/commons/threads?sort=${by}${board}&limit=20`
  }
  return {
    page: { next: () => ({ method: 'GET', path: page() }), sign: '"next_cursor":"' },
    thread: {
      next: () => ({ method: 'GET', path: `/api/commons/threads/${long}/replies?limit=50` }),
      sign: '"ok":true',
    },
    vote: {
      next: () => {
        turn += 1
        const target_id = `thr_${String((turn * 7) % threads).padStart(12, '0')}`
        // Up, then down, then up again: each changes something.
        const value = Math.floor(turn / threads) % 2 === 0 ? 1 : -1
        const body = JSON.stringify({ target_type: 'thread', target_id, value })
        return { method: 'PUT', path: '/api/commons/votes', headers, body }
      },
      sign: '"my_vote":',
    },
    join: { next: joining(), sign: '"token":"cmn_' },
  }
}

/** Challenges are signed and not stored, so they can be made and solved beforehand. */
function joining(): Load['next'] {
  const key = sealer(masterKey).derive('commons challenge')
  return () => {
    const { challenge, bits } = newChallenge(key, powBits, new Date(), 600)
    const body = JSON.stringify({ challenge, counter: solved(challenge, bits) })
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST', path: '/api/commons/identities', headers, body }
  }
}

function solved(challenge: string, bits: number): string {
  for (let counter = 0; ; counter++) {
    const hash = createHash('sha256').update(`${challenge}.${counter}`).digest()
    if (zeroBits(hash) >= bits) return String(counter)
  }
}

/** Queries from four connections. */
function searchesOf({ queries }: CommonsStock, path: string): Load {
  let turn = 0
  return {
    connections: searchConnections,
    next: () => {
      turn += 1
      const q = encodeURIComponent(queries[turn % queries.length] ?? '')
      return { method: 'GET', path: `${path}?q=${q}&limit=20` }
    },
    sign: '"ok":true',
  }
}

/** The longest that another read waits while searches run, at an ordinary pace, in milliseconds. */
async function longestRead(
  { server, stock }: Place,
  { slice, rounds }: Bench['pace'],
): Promise<number> {
  const over = new AbortController()
  const [, longest] = await Promise.all([
    drive(server, searchesOf(stock, '/api/commons/search'), slice * rounds).finally(() =>
      over.abort(),
    ),
    longestOf(`${server.url}/api/commons/threads/${stock.long}`, over.signal),
  ])
  return longest
}

/** The longest that one read took of those until the end, one after the other, in milliseconds. */
async function longestOf(address: string, end: AbortSignal): Promise<number> {
  let longest = 0
  while (!end.aborted) {
    const begun = performance.now()
    await (await fetch(address)).text()
    longest = Math.max(longest, performance.now() - begun)
    await sleep(betweenReadsMs)
  }
  return longest
}
