import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Group } from '../group.ts'
import { median, residentMiB } from '../measure.ts'
import { twiceAtMost } from '../rounds.ts'
import { startBareIn, startProduct, type Started } from '../servers.ts'
import type { Result } from '../table/report.ts'

/** By then everything is loaded that the first requests would wait for. */
const idleMs = 1500

/** Starts a server on a folder, with these settings of its process, and names the page that is asked. */
interface Kind {
  page: string
  start: (folder: string, env: Record<string, string>) => Promise<Started>
}

const product: Kind = { page: '/health', start: startProduct }
const bare: Kind = { page: '/', start: (folder, env) => startBareIn(env, 'start', folder) }

/** How the product starts on an empty folder, and how a bare server does. */
export const start: Group = {
  name: 'start',
  async measure(bench) {
    bench.say('starting')
    await twiceAtMost(() => starts(bench, Math.min(5, bench.pace.rounds)))
  },
}

interface Begun {
  seconds: number
  memory: number
}

async function starts(bench: Bench, times: number): Promise<void> {
  const cache = await mkdtemp(join(tmpdir(), 'abode-bench-cache-'))
  const found = { first: pairs(), later: pairs() }
  try {
    for (let n = 0; n < times; n++) {
      for (const [kind, { page, start }] of [bare, product].entries()) {
        const compiled = join(cache, `${kind}-${n}`)
        found.first[kind]?.push(await begun(compiled, page, start))
        // What the first start has compiled is there now.
        found.later[kind]?.push(await begun(compiled, page, start))
      }
    }
  } finally {
    await rm(cache, { recursive: true, force: true })
  }
  bench.note('bootFirst', over(found.first))
  bench.note('bootLater', over(found.later))
  const [floor, own] = found.later.map((all) => median(all.map(({ memory }) => memory)))
  bench.note('idle', { value: own ?? Number.NaN, absolute: `over ${floor?.toFixed(0)} MiB` })
}

function pairs(): [Begun[], Begun[]] {
  return [[], []]
}

function over([floor, own]: [Begun[], Begun[]]): Result {
  const ratios = own.map(({ seconds }, n) => seconds / (floor[n]?.seconds ?? Number.NaN))
  const [theirs, ours] = [floor, own].map((all) => median(all.map(({ seconds }) => seconds)))
  return { value: median(ratios), absolute: `${ours?.toFixed(2)} s over ${theirs?.toFixed(2)} s` }
}

/** From the start of its process to its first answer; then its memory once it is idle. */
async function begun(compileCache: string, page: string, start: Kind['start']): Promise<Begun> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-'))
  // The first call loads what this process needs for it, which is no part of the server's start.
  await fetch('data:,').then((response) => response.text())
  const before = performance.now()
  const server = await start(folder, { NODE_COMPILE_CACHE: compileCache })
  try {
    const response = await fetch(`${server.url}${page}`)
    await response.text()
    const seconds = (performance.now() - before) / 1000
    if (!response.ok) throw new Error(`${page} was answered ${response.status}`)
    await sleep(idleMs)
    return { seconds, memory: residentMiB(server.pid) }
  } finally {
    await server.end()
    await rm(folder, { recursive: true, force: true })
  }
}
