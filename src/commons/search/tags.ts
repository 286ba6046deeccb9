import { nearest } from '#src/core/input/nearest.ts'
import type { Store } from '#src/ports/store.ts'

/** A tag that some thread has had; its id is the tag. */
export interface TagName {
  id: string
}

/** How many tags with the same beginning are compared to find the one that was meant. */
const tagsAtMost = 500

/**
 * Keeps the names of tags for suggestions. No call waits for it, and one that is lost is kept the next
 * time.
 */
export function noteTags(
  { commons_tag_names: names }: Pick<Store, 'commons_tag_names'>,
  tags: readonly string[],
): void {
  // Most are known already, which is no error.
  for (const id of tags) names.insert({ id }, { lazy: true }).catch(() => undefined)
}

/** The most likely meaning of a tag that no thread has. */
export async function tagMeant(store: Store, tag: string): Promise<string | undefined> {
  const first = tag.slice(0, 1)
  const alike = { id: { $gte: first, $lt: `${first}\u{10ffff}` } }
  const known = await store.commons_tag_names.text(alike, { sort: { id: 1 }, limit: tagsAtMost })
  const meant = nearest(
    tag,
    known.map(({ id }) => id),
  )
  if (meant === undefined) return undefined
  const [thread] = await store.commons_tags.find({ tag: meant }, { limit: 1 })
  return thread && meant
}
