import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { parityOf } from '#tests/e2e/conformance/doors.ts'
import { cases as table } from '#tests/operations/cases.ts'

type Played = readonly [title: string, status?: string]

/** What vitest writes of a run of the two files. */
function reportOf(
  cases: readonly Played[],
  same: readonly Played[] = [['read the same by a.get']],
) {
  const file = (name: string, played: readonly Played[]) => ({
    name: `/anywhere/${name}`,
    assertionResults: played.map(([title, status = 'passed']) => ({ title, status })),
  })
  const byDoor = ['rest', 'mcp', 'a2a'].map((door) =>
    file(
      `tests/operations/doors/${door}/agents.test.ts`,
      cases.filter(([title]) => title.includes(` by ${door}: `)),
    ),
  )
  return JSON.stringify({
    testResults: [
      file('tests/other.test.ts', [['a by rest: x (owner)', 'failed']]),
      ...byDoor,
      file('tests/operations/doors/mongodb.test.ts', [...cases.slice(0, 1), ['is played by rest']]),
      file('tests/conformance/parity.test.ts', same),
    ],
  })
}

describe('the parity of the doors', () => {
  it('counts each case once, on however many stores and doors it was played', () => {
    const { cases, doors } = parityOf(
      reportOf([
        ['a.get by rest: is read (owner)'],
        ['a.get by mcp: is read (owner)'],
        ['a.get by rest: is not found (owner)'],
        ['b.get by rest: by rest: twice (owner)'],
        ['b.get by rest: by rest: twice (owner)'],
        ['b.get by a2a: elsewhere only (owner)'],
      ]),
    )
    expect(cases).toBe(5)
    expect(doors).toEqual([
      { name: 'rest', operations: 2, played: 4, failed: 0 },
      { name: 'mcp', operations: 1, played: 1, failed: 0 },
      { name: 'a2a', operations: 1, played: 1, failed: 0 },
    ])
  })

  it('counts what did not pass, on any store', () => {
    const { doors, same } = parityOf(
      reportOf(
        [
          ['a.get by rest: is read (owner)', 'failed'],
          ['a.get by mcp: is read (owner)', 'skipped'],
        ],
        [['read the same by a.get'], ['refuse a.get in the same words: x', 'failed']],
      ),
    )
    expect(doors.map(({ failed }) => failed)).toEqual([2, 1, 0])
    expect(same).toEqual({ answers: 1, refusals: 1, failed: 1 })
  })

  it('is that of the catalog', () => {
    const { operations, rest_only } = parityOf(reportOf([['a.get by rest: is read (owner)']]))
    expect(operations).toBe(catalog.length)
    expect(rest_only).toBeGreaterThan(0)
  })

  it('is not to be had from a run without them', () => {
    expect(() => parityOf('{"testResults": []}')).toThrow(
      'tests/operations/doors/ is not in the report',
    )
    expect(() => parityOf(reportOf([]))).toThrow('tests/operations/doors/ is not in the report')
  })
})

it('finds each case under the same title in every run', () => {
  const timed = table.filter(({ title }) => /\d{4}-\d\d-\d\dT/.test(title))
  expect(timed.map(({ op, title }) => `${op} ${title}`)).toEqual([])
})
