import { composedAnyway } from '#src/core/input/marks.ts'
import { isMap } from '#src/core/maps.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { forbiddenName } from '#src/core/input/walk.ts'
import type { Report } from './report.ts'
import { isSecretMember, wasAllSecret, withoutSecrets } from './secrets.ts'

/** Which secrets a file may hold: those that have a safe place here. */
export interface CleaningTerms {
  /** The file is from another program. */
  isForeign: boolean
  /** Whether the value at this pointer is kept unchanged. */
  isSpared?: (pointer: string, value: unknown) => boolean
}

/** Why a secret is not imported. */
export const secretReason = 'It is a secret: set it as one of the secrets of the agent.'

const ofSecrets = /\/secrets\/[^/]*$/i

/**
 * A copy of a JSON value that may be stored: texts in NFC and well-formed, no credentials, and only
 * plain members. The value may be nested as deep as files may be.
 */
export function cleaned(value: unknown, report: Report, terms: CleaningTerms, at = ''): unknown {
  if (typeof value === 'string') return cleanText(value, report, terms, at)
  if (Array.isArray(value)) {
    return value.map((item, i) => cleaned(item, report, terms, at + pointerStep(i)))
  }
  return isMap(value) ? cleanMembers(value, report, terms, at) : value
}

function cleanMembers(
  value: Record<string, unknown>,
  report: Report,
  terms: CleaningTerms,
  at: string,
): Record<string, unknown> {
  const kept: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') {
      report.drop(at + pointerStep(name), forbiddenName)
      continue
    }
    if (withoutSecrets(name)) {
      // The pointer of the member would reveal it.
      report.drop(at, 'The name of a member looks like a credential.')
      continue
    }
    const pointer = at + pointerStep(name)
    if (isSecret(name, member, terms, pointer)) {
      report.drop(pointer, secretReason)
      continue
    }
    const clean = cleaned(member, report, terms, pointer)
    if (clean !== undefined) kept.push([composedAnyway(name.toWellFormed()), clean])
  }
  return Object.fromEntries(kept)
}

function isSecret(
  name: string,
  member: unknown,
  { isForeign, isSpared }: CleaningTerms,
  pointer: string,
): boolean {
  if (isSpared?.(pointer, member)) return false
  // Everything that a program stores under this name is secret, under any member name.
  if (ofSecrets.test(pointer)) return !isMap(member) && member !== '' && member !== null
  return typeof member === 'string' && isSecretMember(name, member, isForeign, pointer)
}

/** Undefined for a text that is only a credential. */
function cleanText(
  text: string,
  report: Report,
  { isSpared }: CleaningTerms,
  at: string,
): string | undefined {
  if (!text.isWellFormed()) report.note(at, 'Broken characters were replaced.')
  const whole = composedAnyway(text.toWellFormed())
  if (isSpared?.(at, text)) return whole
  const found = withoutSecrets(whole)
  if (!found) return whole
  const kinds = found.kinds.join(', ')
  report.drop(at, `It holds what looks like a credential (${kinds}), which was removed.`)
  // Later items of a list keep their positions.
  return wasAllSecret(found) && !/\/\d+$/.test(at) ? undefined : found.text
}
