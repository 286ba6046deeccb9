import * as z from 'zod'
import { randomBytes } from 'node:crypto'
import { DuplicateKey, type Store, type Write } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'
import { copiedByAnother } from './side.ts'

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
  | { state: 'unknown'; note: string }
  | ({ state: 'begun'; note: string } & Origin)

/** A copy that a call of the command works on. */
export interface Held {
  /** What this call has noted in the store that becomes the copy: gone once another call goes on with it. */
  note: string
  /** Whether a part of it may be there. */
  goesOn: boolean
}

const Note = z.object({ check: z.string(), from: z.string() })

/**
 * No server starts on the store from here on, until the record is removed, and no call that has begun before writes to it.
 * @param before the note of the copy that was broken off, if there is one
 * @returns the note @throws NotCopied where another call has begun meanwhile
 */
export async function beginCopy(
  { meta }: Store,
  { check, from }: Origin,
  before?: string,
): Promise<string> {
  const by = randomBytes(9).toString('base64url')
  const value = JSON.stringify({ check, from, begun_at: new Date().toISOString(), by })
  if (before === undefined) await meta.insert({ id: copyId, value }).catch(refuseOthers)
  else if (!(await meta.update({ id: copyId, value: before }, { $set: { value } }))) {
    throw copiedByAnother()
  }
  return value
}

function refuseOthers(cause: unknown): never {
  throw cause instanceof DuplicateKey ? copiedByAnother(cause) : cause
}

/** Keeps what is committed with it from being written once another call has taken the copy over: `Unmet`. */
export function holding(note: string): Write {
  return { in: 'meta', update: { id: copyId, value: note }, change: { $set: { value: note } } }
}

/** @throws NotCopied where another call has taken the copy over, or has ended it */
export async function mustHold({ meta }: Store, note: string): Promise<void> {
  if ((await meta.get(copyId))?.value !== note) throw copiedByAnother()
}

/** Whether a copy into this store was interrupted, and of what. */
export async function copyIn({ meta }: Store): Promise<Begun> {
  const note = await meta.get(copyId)
  if (!note) return { state: 'none' }
  const { data } = Note.safeParse(valueOf(note.value))
  return { note: note.value, ...(data ? { state: 'begun', ...data } : { state: 'unknown' }) }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The writes that let servers start on the store, with the check of its key. */
export function completionWrites(check: string, note: string): Write[] {
  return [
    // First, so that a retry whose work is done is told so.
    { in: 'meta', insert: { id: checkId, value: check } },
    holding(note),
    { in: 'meta', delete: { id: copyId } },
  ]
}
