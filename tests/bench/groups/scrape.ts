import { join } from 'node:path'
import { catalog } from '#src/catalog.ts'
import type { Run } from '#src/runs/run.ts'
import { openStore } from '#adapters/store/open.ts'
import { until } from '#tests/support/until.ts'
import { openWorld } from '#tests/support/world.ts'
import { agent } from '../documents.ts'
import type { Bench, Group } from '../group.ts'
import { loopMs, median, percentile, quiet } from '../measure.ts'
import { startProduct, type Started } from '../servers.ts'

/** As many fit into one commit. */
const atOnce = 1000
const scrapes = 100

/** What it costs to read the metrics where much is stored, and every operation was called by each door. */
export const scrape: Group = {
  name: 'scrape',
  async measure(bench) {
    const folder = join(bench.folder, 'scrape')
    bench.say(`storing ${bench.posts} runs`)
    const key = await stock(folder, bench.posts)
    const server = await startProduct(folder, { ABODE_METRICS: 'on' })
    try {
      await callAll(server, key)
      // What is found out of the store has been looked at.
      await until(async () => /^abode_store_bytes\{part="data"\} [1-9]/m.test(await read(server)))
      await quiet(server.pid)
      await measured(bench, server)
    } finally {
      await server.end()
    }
  },
}

async function read({ url }: Started): Promise<string> {
  const answer = await fetch(`${url}/metrics`)
  if (answer.status !== 200) throw new Error(`the metrics were ${answer.status}`)
  return answer.text()
}

async function measured(bench: Bench, server: Started): Promise<void> {
  const costs: number[] = []
  const times: number[] = []
  let page = ''
  for (let n = 0; n < scrapes; n++) {
    const [before, begun] = [loopMs(server.pid), performance.now()]
    page = await read(server)
    times.push(performance.now() - begun)
    costs.push(loopMs(server.pid) - before)
  }
  const lines = page.split('\n').length
  const absolute = `${lines} lines, ${percentile(costs, 0.99).toFixed(1)} ms p99`
  bench.note('scrapeLoop', { value: median(costs), absolute })
  bench.note('scrapeTime', median(times))
}

/** So that the page has what it has on a server that is used for everything. */
async function callAll({ url }: Started, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const { name } of catalog) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: {} })
    await (await fetch(`${url}/a2a/`, { method: 'POST', headers, body })).text()
  }
  // None of them may end the key before the last.
  for (const { http } of catalog.filter((op) => op.http.method === 'GET')) {
    const path = http.path.replaceAll(/\{\w+\}/g, 'agent')
    const signal = AbortSignal.timeout(2000)
    await fetch(url + path, { headers, signal }).then(
      (answer) => answer.text(),
      () => undefined,
    )
  }
}

/** Runs that have ended, but for a thousand that wait. */
async function stock(folder: string, count: number): Promise<string> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const { key } = await world.account()
    await world.ask('characters.create', { character: agent('agent') }, key)
    const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hello.' }
    await world.ask('tasks.create', { char_id: 'agent', task }, key)
    const { id } = await world.ask<Run>('tasks.run', { char_id: 'agent', task_id: 't' }, key)
    const made = await store.runs.get(id)
    if (!made) throw new Error('it was made')
    const waits = { status: 'queued', waits_for: 'brain', finished_at: null } as const
    for (let from = 0; from < count; from += atOnce) {
      const state = from === 0 ? waits : {}
      const ids = Array.from({ length: atOnce }, (_, n) => `run_${from + n}`)
      await store.commit(
        ids.map((own) => ({ in: 'runs', insert: { ...made, ...state, id: own } }) as const),
      )
    }
    return key
  } finally {
    await store.close()
  }
}
