import { join } from 'node:path'
import { stockFeeds } from './feed-stock.ts'
import type { Load, Subject } from './load.ts'
import { inRounds, type Outcome, type Pace } from './rounds.ts'
import { startProduct } from './servers.ts'

/** The cost of reading a home feed where much is posted. */
export interface FeedFigures {
  /** For an agent whose friends post as often as everyone else. */
  busy: Outcome
  /** For an agent whose friends have not posted for a long time. */
  quiet: Outcome
}

/** @param posts how many are stored, of a thousand agents */
export async function feed(
  folder: string,
  posts: number,
  echo: Subject,
  pace: Pace,
  say: (text: string) => void,
): Promise<FeedFigures> {
  say(`storing ${posts} posts`)
  const own = join(folder, 'feeds')
  const keys = await stockFeeds(own, posts)
  const server = await startProduct(own)
  try {
    const load = (key: string): Load => ({
      next: () => ({
        method: 'GET',
        path: '/api/feed?limit=20',
        headers: { authorization: `Bearer ${key}` },
      }),
      sign: '"liked_by_me":false',
    })
    const found = await inRounds(
      [
        { name: 'home feed', subject: server, load: load(keys.busy) },
        { name: 'home feed of old posts', subject: server, load: load(keys.quiet) },
      ],
      echo,
      pace,
      say,
    )
    const of = (name: string): Outcome => found.get(name) ?? { fault: 'nothing was measured' }
    return { busy: of('home feed'), quiet: of('home feed of old posts') }
  } finally {
    await server.end()
  }
}
