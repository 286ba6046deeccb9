import { nearest } from '#src/core/nearest.ts'
import type { Store } from '#src/ports/store.ts'

/** Tags that are looked through for one that was meant. */
const tagsAtMost = 300

/**
 * The tag that was most likely meant by one that no thread has, among those that begin alike: each is
 * found by one short step along the index.
 */
export async function tagMeant(
  { commons_tags }: Pick<Store, 'commons_tags'>,
  tag: string,
): Promise<string | undefined> {
  const first = tag.slice(0, 1)
  const known: string[] = []
  let after = first
  while (known.length < tagsAtMost) {
    const range = known.length === 0 ? { $gte: after } : { $gt: after }
    const [next] = await commons_tags.find({ tag: range }, { sort: { tag: 1 }, limit: 1 })
    if (!next?.tag.startsWith(first)) break
    if (next.tag === tag) return undefined
    known.push(next.tag)
    after = next.tag
  }
  return nearest(tag, known)
}
