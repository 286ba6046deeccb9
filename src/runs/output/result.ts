import { isResumed, isTurnedDown } from '../approvals/verdict.ts'
import type { Ended, Outcome } from '../ended.ts'

/** The result of a run. */
export interface Work {
  /** Text, or any JSON. */
  output: unknown
  /** The same as text; as JSON if it is not a text. */
  text: string
  /** There is nothing to show: null, a blank text, an empty list or object. */
  isEmpty: boolean
}

/** The result of a run; undefined if it did not complete, or completed without having worked. */
export function workOf(outcome: Outcome): Work | undefined {
  if (outcome.status !== 'completed') return undefined
  const { status, reason = null } = outcome
  if (isResumed({ status, reason }) || isTurnedDown({ status, reason })) return undefined
  const output = outcome.output ?? null
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return { output, text, isEmpty: output === null || isBlank(text, typeof output) }
}

function isBlank(text: string, type: string): boolean {
  return type === 'string' ? text.trim() === '' : text === '[]' || text === '{}'
}

/** The text cut to this many characters, never within a surrogate pair. */
export function cutTo(characters: number, text: string): string {
  if (text.length <= characters) return text
  // A character above U+FFFF takes two units.
  return Array.from(text.slice(0, characters * 2))
    .slice(0, characters)
    .join('')
}

/** What consequences of a run's work get. */
export type Worked = Pick<Ended, 'run' | 'now'>
