import type { Store } from '#src/ports/store.ts'

const shownAtMost = 5

/** The ids of the newest agents of an account, to be named in a hint for it. */
export async function ownAgents(store: Store, accountId: string): Promise<string[]> {
  const options = { sort: { created_at: -1 }, limit: shownAtMost } as const
  const ids = await store.characters.pick(['id'], { owner_id: accountId }, options)
  return ids.flat().filter((id) => typeof id === 'string')
}

/** Those ids in words. */
export function inQuotes(ids: readonly string[]): string {
  return ids.map((id) => `"${id}"`).join(', ')
}
