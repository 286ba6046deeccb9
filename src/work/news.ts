import type { Ports } from '#src/core/context.ts'
import { gatherNews } from '#src/runs/told/gather.ts'
import type { News } from '#src/runs/told/news.ts'
import { InTurn } from './turns/in-turn.ts'

/** News that one look takes, in all and of one account: what floods in for one delays no other. */
const atOnce = 200
const ofOneAccount = 50

/** Gathers what has happened, of every account in turn; each call takes some and gives how much. */
export function newsGatherer(ports: Ports): () => Promise<number> {
  const turns = new InTurn<News>(({ owner_id }) => owner_id, atOnce, ofOneAccount)
  return async () => {
    const found = await turns.next((after, limit) =>
      ports.store.news.find({ owner_id: { $gt: after } }, { sort: { owner_id: 1, at: 1 }, limit }),
    )
    return gatherNews(ports, found)
  }
}
