import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { Unavailable } from '#src/ports/store.ts'
import { ownRow } from '#src/agents/access.ts'
import { addition } from './add.ts'
import { plainTitle, publicItem, type KnowledgeItem } from './item.ts'
import { noRoom } from './library.ts'

/** Bytes that came with a call, to be read like a page. */
export interface Document {
  kind: 'text' | 'file'
  title: string
  /** The sender's media type. */
  mediaType: string | null
  bytes: Uint8Array
}

/**
 * Stores documents until they are read, with their items, all or none.
 * @param shown makes the answer of the call
 * @throws Refusal `quota_exceeded`, `write_conflict`, and those of `ownRow`
 */
export async function uploaded<T>(
  context: Context<'key'>,
  charId: string,
  documents: readonly Document[],
  shown: (items: KnowledgeItem[]) => T,
): Promise<Answer<T>> {
  await ownRow(context, charId)
  const wanted = documents.map(({ kind, title, mediaType: media_type, bytes }) => {
    const about = { kind, refresh: 'none', source_type: 'file', title, media_type } as const
    return { ...about, id: newId('kno'), bytes: bytes.length }
  })
  const ids = wanted.map(({ id }) => id)
  try {
    for (const [i, { bytes }] of documents.entries()) await context.files.put(ids[i] ?? '', bytes)
    return await retryUnmet(async () => {
      await ownRow(context, charId)
      const { items, writes, bytes } = await addition(context, charId, wanted, context.clock.now())
      const kept = items.filter((item) => item !== undefined)
      if (kept.length < items.length) return noRoom(charId)
      return context.commit(shown(kept.map(publicItem)), writes, { bytes })
    })
  } catch (cause) {
    // A file without an item is swept in any case.
    if (await isKnownToFail(context, cause, ids)) {
      await context.files.delete(ids).catch(() => undefined)
    }
    throw cause
  }
}

/** False if the commit may have succeeded, as when a repeat of the call met it. */
async function isKnownToFail(
  { store }: Context<'key'>,
  cause: unknown,
  ids: readonly string[],
): Promise<boolean> {
  if (cause instanceof Unavailable) return false
  const found = await store.knowledge_items
    .text({ id: { $in: ids } }, { limit: 1 })
    .catch(() => undefined)
  return found?.length === 0
}

/** The title of a file, also if it has no name. */
export function titleOfFile(filename: string): string {
  return plainTitle(filename.replace(/^.*[\\/]/s, '')) ?? 'A file without a name'
}
