import { sizeOf } from '../counts/quotas.ts'
import { digest } from '../ids.ts'

/** A value that is kept once for an account, and referred to by all documents that hold it. */
export interface LargeValue {
  /** Made of its content, its account and its sender. */
  id: string
  owner_id: string
  /** The other account in whose share it counts, if any. */
  sender?: string
  bytes: number
  /** Counts each time that a document came to refer to it, so that a deletion notices one in between. */
  uses: number
  /** When it is next looked for what refers to it. */
  due_at: string
  value: unknown
}

/** Whose it is, and in which share of it. */
export type Holder = Pick<LargeValue, 'owner_id'> & { sender?: string | undefined }

/** The longest value, in characters of JSON, that stands in its document. */
export const inPlaceAtMost = 16_384

const mark = '@large:'
const reference = /^@large:(lrg_[0-9a-f]{64})$/

/** Whether a value is kept apart: it is long, or could be taken for a reference. */
export function isLarge(value: unknown): boolean {
  if (typeof value === 'string') {
    // A text is seldom near the limit, and its JSON is at least as long.
    if (value.startsWith(mark) || value.length + 2 > inPlaceAtMost) return true
    return value.length * 6 + 2 > inPlaceAtMost && sizeOf(value) > inPlaceAtMost
  }
  return typeof value === 'object' && value !== null && sizeOf(value) > inPlaceAtMost
}

/** The bytes that values count in their document: what is kept apart counts there, once. */
export function inPlaceSize(...values: readonly unknown[]): number {
  return values.reduce<number>((sum, one) => sum + (isLarge(one) ? 0 : sizeOf(one)), 0)
}

/** A value as it is kept apart. @param due_at when it is first looked for what refers to it */
export function keptApart(
  value: unknown,
  { owner_id, sender }: Holder,
  due_at: string,
): LargeValue {
  const text = JSON.stringify(value)
  const id = `lrg_${digest(`${owner_id}\n${sender ?? ''}\n${text}`)}`
  const whose = { owner_id, ...(sender !== undefined && { sender }) }
  return { id, ...whose, bytes: text.length, uses: 1, due_at, value }
}

/** What stands in the place of a value that is kept apart. */
export function markOf(id: string): string {
  return mark + id
}

/** The id of the value that is kept apart, if this stands for one. */
export function referredBy(standing: unknown): string | undefined {
  return typeof standing === 'string' ? reference.exec(standing)?.[1] : undefined
}

/** The hidden member that holds the id of the value, by which it is found. */
export function memberOfReference(member: string): string {
  return `${member}_ref`
}
