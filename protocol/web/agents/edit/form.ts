import { createHash } from 'node:crypto'
import type { ConsoleView } from '#protocol/web/console/frame.ts'
import type { Looking } from '#protocol/web/console/reader.ts'

/** A member that a person edits, as a text. */
export interface EditField {
  name: string
  label: string
  hint?: string
  /** How it is typed: a line, several, or one of these values with their words. */
  kind: 'line' | 'text' | readonly (readonly [value: string, words: string])[]
  /** As it stands. */
  value: string
  /** The beginnings of the pointers by which a refusal names it. */
  pointers: readonly string[]
}

/** Something that a person edits, as it stands. */
export interface Standing {
  revision: number
  fields: readonly EditField[]
  /** The page around a form, or around what it would change. */
  framed(looking: Looking, main: ConsoleView['main'], status: number): ConsoleView
}

/** What a form of an edit holds. */
export interface Typed {
  /** By the names of fields. */
  values: ReadonlyMap<string, string>
  /** What each was when the person began, as a mark. */
  was: ReadonlyMap<string, string>
}

/** A mark of a text by which it is seen whether another is the same. */
export function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** A text as a browser sends it back: with one character at the end of a line. */
export function asTyped(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\r\n', '\n')
}

/** The lines of a text that have something on them. */
export function linesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** What is typed as a time zone. */
export const zoneHint = 'Such as Europe/Berlin; left empty, UTC.'
