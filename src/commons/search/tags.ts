import { nearest } from '#src/core/input/nearest.ts'
import type { Store } from '#src/ports/store.ts'

/** A tag that some thread has had; its id is the tag. */
export interface TagName {
  id: string
}

/** Tags that are looked through for one that was meant: those that begin alike. */
const tagsAtMost = 500

/** Keeps the names of tags for suggestions. Nobody waits for it, and one that is lost comes again. */
export function noteTags(
  { commons_tag_names: names }: Pick<Store, 'commons_tag_names'>,
  tags: readonly string[],
): void {
  // Most are known, which is no fault.
  for (const id of tags) names.insert({ id }, { lazy: true }).catch(() => undefined)
}

/** The tag that was most likely meant by one that no thread has. */
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
