import { join } from 'node:path'
import { agentsStored } from '../documents.ts'
import { noteOutcomes, wanted, type Group } from '../group.ts'
import { productLoads } from '../loads.ts'
import { quiet, residentMiB } from '../measure.ts'
import { inRounds } from '../rounds.ts'
import { startProduct, type Started } from '../servers.ts'
import { stockFolder } from '../stock.ts'

const names = ['read', 'list', 'create'] as const

/** What many stored agents cost, over what few do. */
export const large: Group = {
  name: 'large',
  async measure(bench) {
    const { folder, many, echo, pace, say } = bench
    say(`storing ${many} agents`)
    const few = await started(join(folder, 'few'), agentsStored)
    const lot = await started(join(folder, 'many'), many)
    try {
      const entries = names.map((name) => ({
        name: `${name} of many`,
        subject: lot.server,
        load: lot.loads[name],
        floors: [{ name: `${name} of few`, subject: few.server, load: few.loads[name] }],
      }))
      const found = await inRounds(entries, await echo(), pace, say)
      await Promise.all([quiet(few.server.pid), quiet(lot.server.pid)])
      noteOutcomes(
        bench,
        wanted(bench, 'large').filter((row) => row !== 'largeMemory'),
        found,
      )
      const [more, less] = [residentMiB(lot.server.pid), residentMiB(few.server.pid)]
      const absolute = `${more.toFixed(0)} MiB over ${less.toFixed(0)} MiB`
      bench.note('largeMemory', { value: more - less, absolute })
    } finally {
      await Promise.all([few.server.end(), lot.server.end()])
    }
  },
}

async function started(folder: string, agents: number) {
  const keys = await stockFolder(folder, agents)
  const server: Started = await startProduct(folder)
  const { listWithTasks: list, ...loads } = productLoads(keys, agents)
  return { server, loads: { ...loads, list } }
}
