import { join } from 'node:path'
import { noteOutcomes, wanted, type Group } from '../group.ts'
import type { Load } from '../load.ts'
import { inRounds } from '../rounds.ts'
import { startProduct } from '../servers.ts'
import { stockFeeds } from './feed-stock.ts'

/** The cost of reading a home feed where much is posted, by friends who post and by silent ones. */
export const feed: Group = {
  name: 'feed',
  async measure(bench) {
    const { posts } = bench
    bench.say(`storing ${posts} posts`)
    const own = join(bench.folder, 'feeds')
    const keys = await stockFeeds(own, posts)
    const subject = await startProduct(own)
    try {
      const entries = [
        { name: 'home feed', subject, load: load(keys.busy) },
        { name: 'home feed of old posts', subject, load: load(keys.quiet) },
      ]
      const found = await inRounds(entries, await bench.echo(), bench.pace, bench.say)
      noteOutcomes(bench, wanted(bench, 'feed'), found)
    } finally {
      await subject.end()
    }
  },
}

function load(key: string): Load {
  return {
    next: () => ({
      method: 'GET',
      path: '/api/feed?limit=20',
      headers: { authorization: `Bearer ${key}` },
    }),
    sign: '"liked_by_me":false',
  }
}
