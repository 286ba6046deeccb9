import { crc32 } from 'node:zlib'
import { Refusal } from '#src/core/errors.ts'

/** A strong tag names a revision; a weak one is a hash of the text. */
export interface Tag {
  value: string
  weak: boolean
}

export function revisionTag(revision: number): Tag {
  return { value: String(revision), weak: false }
}

/** Good enough to save a transfer, and cheap enough to compute for every list. */
export function textTag(text: string): Tag {
  return { value: `${crc32(text).toString(36)}-${text.length.toString(36)}`, weak: true }
}

/** The tag as a header; a strong one differs for each encoding of the same revision. */
export function tagHeader(tag: Tag, encoding?: string): string {
  if (tag.weak) return `W/"${tag.value}"`
  return encoding ? `"${tag.value}-${encoding}"` : `"${tag.value}"`
}

/** Whether the caller already has this state, in any encoding (RFC 9110, section 13.1.2). */
export function isKnown(tag: Tag, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  for (const [, value = ''] of ifNoneMatch.matchAll(/"([^"]*)"/g)) {
    if (value === tag.value) return true
    if (!tag.weak && value.replace(/-(?:br|gzip)$/, '') === tag.value) return true
  }
  return false
}

/**
 * The revision that `If-Match` expects; undefined for none and for `*`.
 * @throws Refusal `revision_mismatch` for a tag that is not one of our revisions
 */
export function expectedRevision(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const [, digits] = /^\s*"(\d{1,15})(?:-(?:br|gzip))?"\s*$/.exec(ifMatch) ?? []
  if (digits !== undefined) return Number(digits)
  throw new Refusal('revision_mismatch', 'If-Match names no revision of this resource.', {
    hint: 'Send the ETag of a read or of the last write as it came, one only.',
  })
}
