import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'

export const MemoryEntry = z
  .object({
    namespace: z.string(),
    key: z.string(),
    revision: z.int(),
    value: z.unknown().describe('Any JSON.'),
    updated_at: z.string(),
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

/** @throws Refusal `memory_not_found` always */
export function noMemory(charId: string, namespace: string, key: string): never {
  return refuse('memory_not_found', `"${charId}" remembers nothing at ${namespace}/${key}.`, {
    hint: `${call('memory.list', { char_id: charId, namespace })} lists what it remembers there.`,
  })
}

/** The entry as the wire shows it. */
export function publicEntry(entry: StoredMemoryEntry): MemoryEntry {
  const { namespace, key, revision, value, updated_at } = entry
  return { namespace, key, revision, value, updated_at }
}

/** Bytes of a value as JSON text. */
export const valueBytesAtMost = 65_536

/** Whether a value is small enough: 64 KB of JSON text. */
export function fitsInMemory(value: unknown): boolean {
  const text = JSON.stringify(value) ?? ''
  // A UTF-16 unit takes at most three bytes in UTF-8.
  return text.length * 3 <= valueBytesAtMost || Buffer.byteLength(text) <= valueBytesAtMost
}

/** The revision of a stored entry's wire text. */
export function revisionInEntry(text: string): number {
  // Stored entries always have a revision; they are small, so they are simply parsed.
  return (JSON.parse(text) as { revision: number }).revision
}
