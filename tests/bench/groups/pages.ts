import { join } from 'node:path'
import { noteOutcomes, wanted, type Group } from '../group.ts'
import type { Load } from '../load.ts'
import { inRounds } from '../rounds.ts'
import { startProduct } from '../servers.ts'
import { targetOf } from '../table/targets.ts'
import { stockPages, type PagesStock } from './pages-stock.ts'

/** What the pages of persons cost in a large account. */
export const pages: Group = {
  name: 'pages',
  async measure(bench) {
    const { owned, ran, folder } = bench
    bench.say(`storing ${owned} agents and ${ran} runs`)
    const own = join(folder, 'pages')
    const stock = await stockPages(own, { owned, ran })
    const subject = await startProduct(own)
    try {
      const rows = wanted(bench, 'pages')
      const entries = rows.map((row) => {
        const { load: name } = targetOf(row)
        return { name, subject, load: pageLoad(pathOf(name, stock), stock) }
      })
      const found = await inRounds(entries, await bench.echo(), bench.pace, bench.say)
      noteOutcomes(bench, rows, found)
    } finally {
      await subject.end()
    }
  },
}

const paths: Readonly<Record<string, (stock: PagesStock) => string>> = {
  'the front door': () => '/',
  today: () => '/home',
  'what waits': () => '/needs-you',
  runs: () => '/runs',
  'failed runs': () => '/runs?status=failed',
  'a run': ({ run }) => `/runs/${run}`,
  'an approval': ({ approval }) => `/approvals/${approval}`,
  'the week': () => '/schedule',
  agents: () => '/agents',
  'an agent': ({ agent }) => `/agents/${agent}`,
  'a team': ({ team }) => `/teams/${team}`,
  settings: () => '/settings',
}

function pathOf(name: string, stock: PagesStock): string {
  const path = paths[name]
  if (!path) throw new Error(`no page is called ${name}`)
  return path(stock)
}

function pageLoad(path: string, { session }: PagesStock): Load {
  const headers = { accept: 'text/html', cookie: `abode_session=${session}` }
  return { next: () => ({ method: 'GET', path, headers }), sign: '<main id="main">' }
}
