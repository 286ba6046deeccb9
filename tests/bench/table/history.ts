import type { Result } from './report.ts'
import { rows, type Row } from './targets.ts'

/** What a row came to. */
export type Measured = Extract<Result, { value: number }>

/** The figures of one release, from one or more runs. */
export interface Release {
  label: string
  /** Of the machine and the latest run, in one line. */
  about: string
  results: Partial<Record<Row, Measured>>
}

/** What was measured so far, oldest first. */
export interface History {
  releases: readonly Release[]
}

/** Digits of a figure that are kept: more would tell the noise. */
const kept = 4

/**
 * The history with these results. Those of the same label are replaced row by row, so that single rows
 * can be measured again; what could not be measured stays as it was.
 */
export function recorded(
  { releases }: History,
  { label, about }: Pick<Release, 'label' | 'about'>,
  results: ReadonlyMap<Row, Result>,
): History {
  const before = releases.find((release) => release.label === label)
  const found = rows.flatMap((row): [Row, Measured][] => {
    const result = results.get(row)
    if (result && 'value' in result) return [[row, rounded(result)]]
    const old = before?.results[row]
    return old ? [[row, old]] : []
  })
  const release: Release = { label, about, results: Object.fromEntries(found) }
  if (!before) return { releases: [...releases, release] }
  return { releases: releases.map((one) => (one === before ? release : one)) }
}

/** The rows of a release that there still are, as a report has them. */
export function resultsOf({ results }: Release): Map<Row, Result> {
  return new Map(
    rows.flatMap((row): [Row, Result][] => {
      const result = results[row]
      return result ? [[row, result]] : []
    }),
  )
}

function rounded(result: Measured): Measured {
  // Rounding changes no type.
  return JSON.parse(JSON.stringify(result), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(kept)) : value,
  ) as Measured
}
