import { ownRow } from '#src/agents/access.ts'
import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { withWarnings, type Warning } from '#src/core/schema.ts'
import { addition } from './add.ts'
import { sourceWarnings, takenAddress } from './address.ts'
import { publicItem, type KnowledgeItem, type StoredItem } from './item.ts'
import { noRoom } from './library.ts'

/** An address that an agent is to know. */
export type Lesson = Pick<StoredItem, 'kind' | 'refresh'> & {
  url: string
  source_type: string | undefined
  /** Which member of the input gave the type. */
  typedAt: '/type' | '/source_type'
  /** The caller's title; null to take the document's own. */
  title: string | null
}

/**
 * Queues what is at an address to be read, or read again, and answers the item that waits for it.
 * @throws Refusal `character_not_found`, `forbidden`, `write_conflict`, `quota_exceeded`, and
 * `invalid_input` for an address that may not be called
 */
export function learned(
  context: Context<'key'>,
  charId: string,
  { url, typedAt, ...lesson }: Lesson,
): Promise<Answer<KnowledgeItem & { warnings?: Warning[] }>> {
  return retryUnmet(async () => {
    await ownRow(context, charId)
    const wanted = { ...lesson, url: takenAddress(context.sender, url) }
    const { items, writes, bytes } = await addition(context, charId, [wanted], context.clock.now())
    const [item] = items
    if (!item) return noRoom(charId)
    const shown = withWarnings(publicItem(item), sourceWarnings(lesson.source_type, typedAt))
    return context.commit(shown, writes, { bytes })
  })
}
