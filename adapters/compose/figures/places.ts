import type { Metrics } from '#adapters/metrics/counted.ts'
import { diskOf, type Disk } from '#adapters/store/space/watch.ts'
import { showsFact } from './fact.ts'
import type { Look } from './look.ts'

const parts = ['data', 'indexes', 'log'] as const

/** Shows how much room the store takes, and how much its disk has. @param folder of the embedded store */
export function placeFigures(metrics: Metrics, folder: string | undefined): Look {
  const bytes = metrics.facts({
    name: 'abode_store_bytes',
    help: 'What the store takes: data, indexes (0 where they are among the data), log.',
    labels: ['part'],
    first: parts.map((part) => ({ part })),
    over: 'max',
  })
  const all = showsFact(
    metrics,
    'abode_disk_bytes',
    'The size of the disk of the store; 0 where it is not known.',
  )
  const free = showsFact(metrics, 'abode_disk_free_bytes', 'How much of it is free.')
  return async ({ store }) => {
    const sizes = await store.sizes?.()
    for (const part of parts) bytes({ part }, sizes?.[part] ?? 0)
    const disk = await diskFor(store.disk, folder)
    all(disk?.all ?? 0)
    free(disk?.free ?? 0)
  }
}

async function diskFor(
  ofServer: (() => Promise<Disk | undefined>) | undefined,
  folder: string | undefined,
): Promise<Disk | undefined> {
  if (ofServer) return ofServer()
  return folder === undefined ? undefined : diskOf(folder)
}
