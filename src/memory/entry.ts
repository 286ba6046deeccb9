import * as z from 'zod'

export const MemoryEntry = z
  .object({
    namespace: z.string(),
    key: z.string(),
    value: z.unknown().describe('Any JSON.'),
    revision: z.int(),
    updated_at: z.string(),
  })
  .meta({ id: 'MemoryEntry' })
/** Something that an agent remembers, as the wire shows it. */
export type MemoryEntry = z.infer<typeof MemoryEntry>

/** An entry at rest, kept under `char_id/namespace/key`. */
export interface StoredMemoryEntry extends MemoryEntry {
  id: string
  char_id: string
  owner_id: string
}

/** The key under which an entry is kept. */
export function memoryKey(charId: string, namespace: string, key: string): string {
  return `${charId}/${namespace}/${key}`
}
