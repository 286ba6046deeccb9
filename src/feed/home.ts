import type { Audience } from '#src/agents/visibility/visibility.ts'
import type { Answer } from '#src/core/answer.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { pageAnswer, type Page } from '#src/core/page.ts'
import { hasSubscribed } from '#src/agents/visibility/subscription.ts'
import type { Store } from '#src/ports/store.ts'
import { newest, type Place } from './newest.ts'
import { placesIn, shownTexts } from './read.ts'

/** How many friendships are read for one caller. */
const friendshipsAtMost = 10_000

/**
 * The posts of a caller's agents, and of their accepted friends that show theirs, newest first. For a
 * key that acts as an agent, of that one and its friends.
 * @throws Refusal `cursor_invalid`
 */
export async function homePage(
  store: Store,
  caller: KeyCaller,
  page: Page,
): Promise<Answer<{ items: never[]; next_cursor: string | null }>> {
  const { accountId, charId } = caller
  const home = new Home(store, caller, await friendsOf(store, caller))
  const { found, next } = await newest(`home ${accountId} ${charId ?? ''}`, page, home)
  return pageAnswer(await shownTexts(store, found, accountId), next)
}

type Viewer = Pick<KeyCaller, 'accountId' | 'charId'>

/**
 * The accepted friends of the caller's agent, or of all the caller's agents those in other accounts.
 */
async function friendsOf(
  { edges }: Pick<Store, 'edges'>,
  { accountId, charId }: Viewer,
): Promise<string[]> {
  const isScoped = charId !== undefined
  const whose = isScoped ? { char_id: charId } : { outside: accountId }
  const among = { ...whose, status: 'accepted' } as const
  const found = await edges.pick(['friend_id'], among, { limit: friendshipsAtMost })
  const ids = found.map(([id]) => String(id))
  // Several agents of an account may have the same friend.
  return isScoped ? ids : [...new Set(ids)]
}

/** When each agent was made whose feed is open to the caller, by its id; other agents are left out. */
type Feeds = Map<string, string | undefined>

class Home {
  readonly #store: Store
  readonly #viewer: Viewer
  readonly #known: Feeds = new Map()
  #friends: readonly string[]
  /** Whether all friends have been checked, and only those with an open feed are left. */
  #isNarrowed = false

  constructor(store: Store, viewer: Viewer, friends: readonly string[]) {
    this.#store = store
    this.#viewer = viewer
    this.#friends = friends
  }

  async read(before: string | undefined, limit: number): Promise<Place[]> {
    const { accountId, charId } = this.#viewer
    const own = charId === undefined ? { owner_id: accountId } : { char_id: charId }
    const ours = await placesIn(this.#store, own, before, limit)
    if (this.#friends.length === 0) return ours
    const theirs = await placesIn(this.#store, { char_id: { $in: this.#friends } }, before, limit)
    return both(ours, theirs).slice(0, limit)
  }

  async shown(places: Place[]): Promise<Place[]> {
    await this.#look([...new Set(places.map((place) => place.charId))])
    const seen = places.filter(({ charId, born }) => this.#known.get(charId) === born)
    // Friends that show nothing may post more than all others: they are not queried again.
    if (seen.length < places.length && !this.#isNarrowed) {
      await this.#look(this.#friends)
      this.#friends = this.#friends.filter((id) => this.#known.get(id) !== undefined)
      this.#isNarrowed = true
    }
    return seen
  }

  /** Finds out which feeds are open: what an agent lets others see may change at any time. */
  async #look(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#known.has(id))
    if (unknown.length === 0) return
    const facts = ['id', 'created_at', 'owner_id', 'feed_for'] as const
    const found = await this.#store.characters.pick(facts, { id: { $in: unknown } })
    for (const id of unknown) this.#known.set(id, undefined)
    for (const [id, born, owner, audience] of found) {
      const isPaid = audience === ('subscribers' satisfies Audience)
      const isOpen =
        isOpenTo(this.#viewer, String(id), owner, audience) ||
        (isPaid && (await hasSubscribed(this.#store, this.#viewer.accountId, String(id))))
      if (isOpen) this.#known.set(String(id), String(born))
    }
  }
}

/** Whether the caller owns the agent, or may read its feed as a friend. */
function isOpenTo(
  { accountId, charId }: Viewer,
  id: string,
  owner: unknown,
  audience: unknown,
): boolean {
  if (owner === accountId && (charId === undefined || charId === id)) return true
  return (
    audience === ('everybody' satisfies Audience) || audience === ('friends' satisfies Audience)
  )
}

/** Both lists merged, newest first, each place once. */
function both(some: Place[], others: Place[]): Place[] {
  if (some.length === 0) return others
  const places = new Map([...some, ...others].map((place) => [place.id, place]))
  return [...places.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
}
