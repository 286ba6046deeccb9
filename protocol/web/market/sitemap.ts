import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { listOf, type Reading } from '../commons/sitemap.ts'
import { publicScreen } from './frame.ts'

const agentsAtMost = 50_000

/** Where crawlers find the directory, and the listed agents. */
export function directoryListScreen(terms: Terms): Screen {
  return publicScreen(terms, (_, { paths }) =>
    listOf(terms, agentsBelow(terms), {
      atMost: agentsAtMost,
      address: (id) => paths.address(`/${encodeURIComponent(id)}`),
    }),
  )
}

function agentsBelow({ store }: Terms): Reading {
  return async (below, limit) => {
    const filter = below === undefined ? {} : { id: { $lt: below } }
    const options = { sort: { id: -1 }, limit } as const
    const rows = await store.directory.pick(['id', 'created_at'], filter, options)
    return rows.map(([id, at]) => ({ id: String(id), at: String(at) }))
  }
}
