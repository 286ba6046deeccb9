import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { changeOf, isSame, type Change, type Equivalents } from './equivalents.ts'

/** A mutant that no test has noticed. */
export interface Survivor extends Change {
  readonly file: string
  readonly lineNumber: number
  /** No test reaches the mutant. */
  readonly isUncovered: boolean
}

/** The result of an area. */
export interface Verdict {
  readonly mutants: number
  readonly killed: number
  /** Survivors that are on the list. */
  readonly equivalent: number
  /** Survivors that are not: holes in the tests. */
  readonly holes: readonly Survivor[]
  /** Of the list what was killed, or is not made any more. */
  readonly stale: readonly (Change & { file: string })[]
}

/** Mutants that were tried: not those that are static, or wording. */
const tried = ['Killed', 'Timeout', 'RuntimeError', 'Survived', 'NoCoverage']

/** Judges the mutants of an area by the list of those that are known to survive. */
export function judge(
  results: readonly MutantResult[],
  listed: readonly Equivalents[],
  read: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Verdict {
  const mutants = results.filter(({ status }) => tried.includes(status))
  const survivors = mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location, replacement, status }): Survivor => ({
      file: relative(process.cwd(), fileName),
      lineNumber: location.start.line,
      isUncovered: status === 'NoCoverage',
      ...changeOf(read(fileName), location, replacement ?? ''),
    }))
  const known = listed.flatMap(({ file, changes }) => changes.map((one) => ({ file, ...one })))
  const isKnown = (one: Survivor): boolean =>
    known.some((other) => other.file === one.file && isSame(one, other))
  const holes = survivors.filter((one) => !isKnown(one))
  return {
    mutants: mutants.length,
    killed: mutants.length - survivors.length,
    equivalent: survivors.length - holes.length,
    holes,
    stale: known.filter(
      (one) => !survivors.some((other) => other.file === one.file && isSame(one, other)),
    ),
  }
}
