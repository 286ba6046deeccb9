import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import { isLongerThan } from '#src/core/text/longer.ts'
import { marks, marksOf, type Source } from '#src/core/text/untrusted.ts'
import type { Store } from '#src/ports/store.ts'

export const MemoryEntry = z
  .object({
    namespace: z.string(),
    key: z.string(),
    revision: z.int(),
    value: z.unknown().describe('Any JSON.'),
    updated_at: z.string(),
    ...marks,
  })
  .meta({ id: 'MemoryEntry' })
/** An entry of an agent's memory, as the wire shows it. */
export type MemoryEntry = z.infer<typeof MemoryEntry>

/** An entry as stored, under `char_id/namespace/key`. */
export interface StoredMemoryEntry extends MemoryEntry {
  id: string
  char_id: string
  owner_id: string
  /** The text of its value, to be searched. Of an entry of before it is filled in. */
  words?: string
}

/** The id of a stored entry. */
export function memoryKey(charId: string, namespace: string, key: string): string {
  return `${charId}/${namespace}/${key}`
}

/** What may be remembered: by whom, where, and under which key. */
interface Sought {
  char_id: string
  owner_id: string
  namespace: string
  key: string
}

/**
 * For a caller that may read what the agent remembers.
 * @throws Refusal `memory_not_found` always, with the nearest key of the namespace
 */
export async function noMemory(
  { memory }: Pick<Store, 'memory'>,
  { key, ...among }: Sought,
): Promise<never> {
  const { char_id, namespace } = among
  const rows = await memory.pick(['key'], among, { sort: { key: 1 }, limit: idsAtMost })
  const hint = idHint(key, {
    ids: rows.flat(),
    read: (near) => call('memory.get', { char_id, namespace, key: near }),
    list: call('memory.list', { char_id, namespace }),
  })
  const words = `"${char_id}" remembers nothing at ${namespace}/${key}.`
  return refuse('memory_not_found', words, { hint })
}

/** Where what an agent remembers comes from, to those who read it in another account. */
export function sourceOfMemory(
  caller: { accountId?: string | undefined },
  { id, owner_id }: { id: string; owner_id: string },
): Source | undefined {
  return caller.accountId === owner_id ? undefined : { kind: 'memory', char_id: id }
}

/** The entry as the wire shows it. */
export function publicEntry(entry: StoredMemoryEntry): MemoryEntry {
  const { namespace, key, revision, value, updated_at } = entry
  return { namespace, key, revision, value, updated_at, ...marksOf(entry) }
}

/** Bytes of a value as JSON text. */
export const valueBytesAtMost = 65_536

/** Whether a value is small enough: 64 KB of JSON text. */
export function fitsInMemory(value: unknown): boolean {
  if (isLongerThan(value, valueBytesAtMost)) return false
  const text = JSON.stringify(value) ?? ''
  // A UTF-16 unit takes at most three bytes in UTF-8.
  return text.length * 3 <= valueBytesAtMost || Buffer.byteLength(text) <= valueBytesAtMost
}

/** The revision of a stored entry's wire text. */
export function revisionInEntry(text: string): number {
  // Stored entries always have a revision; they are small, so they are simply parsed.
  return (JSON.parse(text) as { revision: number }).revision
}
