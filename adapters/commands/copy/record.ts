import * as z from 'zod'
import type { Store, Write } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'

/** What a copy is of, as the store that becomes one notes it. */
export interface Origin {
  /** The check of its master key. */
  check: string
  /** The place of the original, without secrets. */
  from: string
}

/** How a copy into a store stands. */
export type Begun =
  | { state: 'none' }
  /** By a version that did not note of what. */
  | { state: 'unknown' }
  | ({ state: 'begun' } & Origin)

const Note = z.object({ check: z.string(), from: z.string() })

/** No server starts on the store from here on, until the record is removed. */
export async function beginCopy({ meta }: Store, { check, from }: Origin): Promise<void> {
  const value = JSON.stringify({ check, from, begun_at: new Date().toISOString() })
  if (await meta.update({ id: copyId }, { $set: { value } })) return
  await meta.insert({ id: copyId, value })
}

/** Whether a copy into this store was interrupted, and of what. */
export async function copyIn({ meta }: Store): Promise<Begun> {
  const note = await meta.get(copyId)
  if (!note) return { state: 'none' }
  const { data } = Note.safeParse(valueOf(note.value))
  return data ? { state: 'begun', ...data } : { state: 'unknown' }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The writes that let servers start on the store, with the check of its key. */
export function completionWrites(check: string): Write[] {
  return [
    { in: 'meta', insert: { id: checkId, value: check } },
    { in: 'meta', delete: { id: copyId } },
  ]
}
