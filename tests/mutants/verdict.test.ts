import type { MutantResult } from '@stryker-mutator/api/core'
import { describe, expect, it } from 'vitest'
import { areas } from './areas.ts'
import { equivalents } from './equivalent/all.ts'
import { changeOf, type Equivalents } from './equivalents.ts'
import { judge } from './verdict.ts'

const code = ['const limit = 8', 'if (count >= limit) return {', '  full: true,', '}'].join('\n')

type Span = MutantResult['location']

const span = (line: number, from: number, to: number, lastLine = line): Span => ({
  start: { line, column: from },
  end: { line: lastLine, column: to },
})
const comparison = { line: 'if (count >= limit) return {', was: 'count >= limit', becomes: 'true' }

function mutant(status: MutantResult['status'], location = span(2, 5, 19)): MutantResult {
  const fileName = `${process.cwd()}/src/full.ts`
  return { id: '1', mutatorName: 'some', replacement: 'true', status, fileName, location }
}

const judged = (results: MutantResult[], listed: Equivalents[] = []) =>
  judge(results, listed, () => code)

describe('a mutant is told by what it changes', () => {
  it('within a line', () => {
    expect(changeOf(code, span(2, 5, 19), 'true')).toEqual(comparison)
  })

  it('over several lines, with its blanks as one, and cut short', () => {
    const { line, was, becomes } = changeOf(code, span(2, 28, 2, 4), '{}')
    expect({ line, was, becomes }).toEqual({
      line: 'if (count >= limit) return {',
      was: '{ full: true, }',
      becomes: '{}',
    })
    const long = `const text = [${'1, '.repeat(40)}]`
    expect(changeOf(long, span(1, 14, long.length + 1), '[]').was).toHaveLength(60)
  })
})

describe('an area is judged', () => {
  it('by what was killed, in any way, and what was not', () => {
    const ends = ['Killed', 'Timeout', 'RuntimeError', 'Survived', 'NoCoverage'] as const
    const { mutants, killed, holes } = judged(ends.map((status) => mutant(status)))
    expect({ mutants, killed }).toEqual({ mutants: 5, killed: 3 })
    expect(holes).toEqual([
      { file: 'src/full.ts', lineNumber: 2, isUncovered: false, ...comparison },
      { file: 'src/full.ts', lineNumber: 2, isUncovered: true, ...comparison },
    ])
  })

  it('without what was never tried', () => {
    expect(judged([mutant('Ignored')])).toMatchObject({ mutants: 0, killed: 0, holes: [] })
  })

  it('by the list, of which it tells what does not survive any more', () => {
    const other = { ...comparison, becomes: 'false' }
    const listed = [{ file: 'src/full.ts', why: 'It is full.', changes: [comparison, other] }]
    expect(judged([mutant('Survived')], listed)).toMatchObject({
      equivalent: 1,
      holes: [],
      stale: [{ file: 'src/full.ts', ...other }],
    })
    const elsewhere = [{ file: 'src/other.ts', why: 'It is full.', changes: [comparison] }]
    expect(judged([mutant('Survived')], elsewhere).holes).toHaveLength(1)
  })
})

describe('the list', () => {
  it('is of areas that there are', () => {
    const names = areas.map(({ name }) => name)
    expect(Object.keys(equivalents).filter((name) => !names.includes(name))).toEqual([])
  })
})
