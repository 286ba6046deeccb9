import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import { wanted, type Group } from '../group.ts'
import { played, workOfEach } from '../statements.ts'
import { targetOf } from '../table/targets.ts'

/** What single writes ask of the store, in this process. */
export const statements: Group = {
  name: 'statements',
  async measure(bench) {
    bench.say('counting statements')
    const store = await openStore({ folder: join(bench.folder, 'statements') })
    try {
      const found = await workOfEach(store)
      for (const row of wanted(bench, 'statements')) {
        const name = played.find((one) => one === targetOf(row).load)
        if (!name) throw new Error(`${targetOf(row).load} is not played`)
        const { looks, statements, rows, bytes } = found[name]
        const absolute = `${rows} rows, ${bytes} bytes; ${looks} statements outside of it`
        bench.note(row, { value: statements, absolute })
      }
    } finally {
      await store.close()
    }
  },
}
