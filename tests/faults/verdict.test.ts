import { describe, expect, it } from 'vitest'
import { goalText, hasFailed, judge, least, most, none, rowsOf, type Outcome } from './verdict.ts'

const outcome = (more: Partial<Outcome>): Outcome => ({
  name: 'kill',
  store: 'sqlite',
  seconds: 1,
  judged: [],
  figures: {},
  ...more,
})

describe('the judge of faults', () => {
  it.each([
    ['one lost', none('lost'), { lost: 1 }, 'missed'],
    ['none lost', none('lost'), { lost: 0 }, 'met'],
    ['what was not measured', none('lost'), {}, 'missed'],
    ['what is no number', most('p99_ms', 5), { p99_ms: Number.NaN }, 'missed'],
    ['too slow', most('p99_ms', 5), { p99_ms: 5.1 }, 'missed'],
    ['just in time', most('p99_ms', 5), { p99_ms: 5 }, 'met'],
    ['too few', least('acknowledged', 2), { acknowledged: 1 }, 'missed'],
    ['enough', least('acknowledged', 2), { acknowledged: 2 }, 'met'],
  ] as const)('judges %s', (_, goal, figures, verdict) => {
    expect(judge([goal], figures)).toMatchObject([{ verdict }])
  })

  it('fails for a goal that is missed and for a scenario that was cut short', () => {
    const judged = judge([none('lost')], { lost: 1 })
    expect(hasFailed(outcome({ judged }))).toBe(true)
    expect(hasFailed(outcome({ fault: 'no answer' }))).toBe(true)
    expect(hasFailed(outcome({ judged: judge([none('lost')], { lost: 0 }) }))).toBe(false)
    expect(hasFailed(outcome({ skipped: 'not root' }))).toBe(false)
  })

  it('shows every figure with its goal, and what is missing', () => {
    const figures = { lost: 1, acknowledged: 1200 }
    const judged = judge([none('lost'), most('ready_ms', 5000)], figures)
    expect(rowsOf(outcome({ figures, judged }))).toEqual([
      '| kill | sqlite | lost | 1 | at most 0 | missed |',
      '| kill | sqlite | acknowledged | 1,200 |  |  |',
      '| kill | sqlite | ready_ms | not measured | at most 5000 | missed |',
    ])
    expect(rowsOf(outcome({ skipped: 'not root' }))).toEqual([
      '| kill | sqlite |  |  |  | skipped: not root |',
    ])
    expect(goalText({ figure: 'x', atLeast: 1, atMost: 1 })).toBe('exactly 1')
  })
})
