import { openStore } from '#adapters/store/open.ts'
import type { StoredPost } from '#src/feed/post.ts'
import { edgeId, type Edge } from '#src/agents/friends/edge.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { openWorld } from '#tests/support/world.ts'
import { prose } from '../prose.ts'

/** Keys of two accounts with one agent and two hundred friends each. */
export interface FeedStock {
  /** Its friends post as often as everybody else. */
  busy: string
  /** Its friends posted long ago, and nothing since. */
  quiet: string
}

const friendsEach = 200
/** Agents that post; the first ones of them are those who stopped. */
const agents = 1000
/** Of so many posts one is of those who stopped: the oldest. */
const stoppedOf = 5
const postBytes = 280
const begun = Date.parse('2026-01-01T00:00:00Z')
const everyMs = 1000
/** As many fit into one commit. */
const atOnce = 500

const agentId = (n: number): string => `poster-${n}`

/** Fills a new folder with feeds of this size, in the form in which the operations store them. */
export async function stockFeeds(folder: string, posts: number): Promise<FeedStock> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const others = await world.account()
    const open = { profile_visibility: 'public', ability_access: { feed: 'friends' } }
    for (let from = 0; from < agents; from += 100) {
      const make = (_: unknown, i: number) => {
        const character = { id: agentId(from + i), name: 'A poster', visibility: open }
        return world.ask('characters.create', { character }, others.key)
      }
      await Promise.all(Array.from({ length: 100 }, make))
    }
    const reader = async (id: string, friends: number[]): Promise<string> => {
      const account = await world.account()
      await world.ask('characters.create', { character: { id, name: 'A reader' } }, account.key)
      await store.commit(friends.flatMap((n) => friendship(id, account.id, n, others.id)))
      return account.key
    }
    const every = (agents - friendsEach) / friendsEach
    const some = Array.from({ length: friendsEach }, (_, i) => i)
    const keys = {
      busy: await reader(
        'busy-reader',
        some.map((i) => friendsEach + i * every),
      ),
      quiet: await reader('quiet-reader', some),
    }
    await keepPosts(store, posts, others.id)
    return keys
  } finally {
    await store.close()
  }
}

function friendship(id: string, accountId: string, n: number, others: string): Write[] {
  const edge = (char_id: string, friend_id: string, owner_id: string): Write => {
    const insert: Edge = {
      char_id,
      friend_id,
      relationship_type: 'friend',
      permissions: [],
      shared_abilities: [],
      note: null,
      status: 'accepted',
      created_at: new Date(begun).toISOString(),
      id: edgeId(char_id, friend_id),
      owner_id,
      app_id: null,
      outside: owner_id,
    }
    return { in: 'edges', insert }
  }
  return [edge(id, agentId(n), accountId), edge(agentId(n), id, others)]
}

async function keepPosts(store: Store, count: number, owner_id: string): Promise<void> {
  const all = await store.characters.pick(['id', 'created_at'], {})
  const bornOf = new Map(all.map(([id, at]) => [String(id), String(at)]))
  let writes: Write[] = []
  for (let n = 0; n < count; n++) {
    const isOld = n < count / stoppedOf
    const char_id = agentId(
      isOld ? n % friendsEach : friendsEach + ((n * 7919) % (agents - friendsEach)),
    )
    const insert: StoredPost = {
      id: `post_${(begun + n * everyMs).toString(16).padStart(12, '0')}${String(n).padStart(20, '0')}`,
      char_id,
      content: prose(n, postBytes),
      image_url: null,
      source: 'task',
      run_id: null,
      like_count: n % 3,
      comment_count: 0,
      created_at: new Date(begun + n * everyMs).toISOString(),
      owner_id,
      born: bornOf.get(char_id) ?? '',
    }
    writes.push({ in: 'posts', insert })
    if (writes.length < atOnce && n < count - 1) continue
    await store.commit(writes)
    writes = []
  }
}
