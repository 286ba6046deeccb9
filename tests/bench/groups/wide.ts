import { join } from 'node:path'
import { noteOutcomes, wanted, type Group } from '../group.ts'
import { productLoads } from '../loads.ts'
import { inRounds } from '../rounds.ts'
import { startProduct } from '../servers.ts'
import { stockFolder } from '../stock.ts'

const few = 16
const many = 256

/** What is left of the speed where sixteen times as many callers ask at once. */
export const wide: Group = {
  name: 'wide',
  async measure(bench) {
    const folder = join(bench.folder, 'wide')
    const keys = await stockFolder(folder)
    const subject = await startProduct(folder)
    try {
      const loads = productLoads(keys)
      const entries = (['read', 'create'] as const).map((name) => {
        const on = (connections: number) => ({ subject, load: { ...loads[name], connections } })
        const floor = { name: `${name} on ${few}`, ...on(few) }
        return { name: `${name} on ${many} connections`, ...on(many), floors: [floor] }
      })
      const found = await inRounds(entries, await bench.echo(), bench.pace, bench.say)
      noteOutcomes(bench, wanted(bench, 'wide'), found)
    } finally {
      await subject.end()
    }
  },
}
