import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newChallenge, zeroBits } from '#src/commons/proof-of-work.ts'
import { sorts } from '#src/commons/ranks.ts'
import { sealer } from '#src/core/seal.ts'
import { stockCommons, boardsUsed, type CommonsStock } from './commons-stock.ts'
import { drive, type Load, type Subject } from './load.ts'
import { inRounds, type Figures, type Outcome, type Pace } from './rounds.ts'
import { startProduct, type Started } from './servers.ts'

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

/** What the Commons costs where much is stored. */
export interface CommonsFigures {
  loads: Record<Name | 'join', Outcome>
  /** CPU with many threads over CPU with few, or why it could not be measured. */
  ratios: Record<Name, number | string>
  /** Milliseconds. */
  searchP99: number
  /** The longest that another read waited while searches ran, in milliseconds. */
  longestRead: number
}

/** @param many how many threads are stored, with ten replies each */
export async function commons(
  folder: string,
  many: number,
  echo: Subject,
  pace: Pace,
  say: (text: string) => void,
): Promise<CommonsFigures> {
  say(`storing ${many} threads`)
  const few = await started(join(folder, 'commons-few'), Math.min(fewThreads, many))
  const lot = await started(join(folder, 'commons-many'), many)
  try {
    const names = ['page', 'thread', 'vote'] as const
    const entries = names.flatMap((name) => [
      { name: `${name}, few`, subject: few.server, load: few.loads[name] },
      { name: `${name}, many`, subject: lot.server, load: lot.loads[name] },
    ])
    const joining = { name: 'join', subject: lot.server, load: lot.loads.join }
    const found = await inRounds([...entries, joining], echo, pace, say)
    const of = (name: string): Outcome => found.get(name) ?? { fault: 'nothing was measured' }
    say('searching')
    const search = await searched(lot.server, lot.stock, pace)
    return {
      loads: {
        page: of('page, many'),
        thread: of('thread, many'),
        vote: of('vote, many'),
        join: of('join'),
      },
      ratios: {
        page: ratio(of('page, many'), of('page, few')),
        thread: ratio(of('thread, many'), of('thread, few')),
        vote: ratio(of('vote, many'), of('vote, few')),
      },
      ...search,
    }
  } finally {
    await Promise.all([few.server.end(), lot.server.end()])
  }
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

/** Queries from four connections, along with other reads at an ordinary pace. */
async function searched(
  subject: Subject,
  { queries, long }: CommonsStock,
  { slice, rounds }: Pace,
): Promise<Pick<CommonsFigures, 'searchP99' | 'longestRead'>> {
  let turn = 0
  const load: Load = {
    next: () => {
      turn += 1
      const q = encodeURIComponent(queries[turn % queries.length] ?? '')
      return { method: 'GET', path: `/api/commons/search?q=${q}&limit=20` }
    },
    sign: '"ok":true',
  }
  const over = new AbortController()
  const [{ p99 }, longestRead] = await Promise.all([
    drive(subject, load, slice * rounds, searchConnections).finally(() => over.abort()),
    longestOf(`${subject.url}/api/commons/threads/${long}`, over.signal),
  ])
  return { searchP99: p99, longestRead }
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

function ratio(many: Outcome, few: Outcome): number | string {
  const of = (outcome: Outcome): Figures | string =>
    outcome.fault === undefined ? outcome.figures : outcome.fault
  const [a, b] = [of(many), of(few)]
  if (typeof a === 'string') return a
  return typeof b === 'string' ? b : a.x / b.x
}
