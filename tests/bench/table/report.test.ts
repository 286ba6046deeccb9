import { describe, expect, it } from 'vitest'
import { recorded, resultsOf, type History } from './history.ts'
import { plotOf } from './plot.ts'
import { markdownOf, summaryOf, tableOf, titleOf, type Report, type Result } from './report.ts'
import { fullSizes, quickSizes } from './sizes.ts'
import type { Row } from './targets.ts'

const figures = { x: 4, cpu: 80.4, p50: 1.52, p99: 4.96, aSecond: 9000.4 }
const floor = { x: 2, cpu: 40.2, p50: 1, p99: 3.1, aSecond: 15_000 }
const results = new Map<Row, Result>([
  ['read', { value: 2, figures, floor }],
  ['bootFirst', { value: 3.9, absolute: '0.61 s over 0.16 s' }],
  ['listWithTasks', { value: 15.43, figures }],
  ['idle', { fault: 'Error: it did not start' }],
])
const rows: Row[] = ['read', 'listWithTasks', 'bootFirst', 'idle']
const report: Report = { rows, results, sizes: quickSizes }

describe('the table', () => {
  it('has the absolute figures of a load and its floor after the ratio', () => {
    expect(markdownOf(report).split('\n').slice(2)).toEqual([
      '| read one agent with its two tasks, REST | 2.00 times | <= 1.60 times | missed | 80 | 40 | 4.0 | 1.5 | 5.0 | 3.1 | 9000 |',
      '| list 20 agents with two tasks each, REST | 15.4 x |  |  | 80 |  | 4.0 | 1.5 | 5.0 |  | 9000 |',
      '| start to first answer, first time: 0.61 s over 0.16 s | 3.90 times | <= 4.00 times | met |  |  |  |  |  |  |  |',
      '| resident memory, idle | - | <= 135 MiB | not measured: Error: it did not start |  |  |  |  |  |  |  |',
    ])
  })

  it('begins each line of text with the name by which the row is asked for', () => {
    const names = tableOf(report)
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(names).toEqual(['row', ...rows])
  })

  it('is summed up in one line, without the rows that have no target', () => {
    expect(summaryOf(report)).toBe('1 of 3 targets met; missed: read; not measured: idle')
    const skipped = new Map<Row, Result>([
      ['read', { value: 2 }],
      ['processesRead', { skipped: 'there is no wrk' }],
    ])
    expect(summaryOf({ rows: ['read', 'processesRead'], results: skipped })).toBe(
      '0 of 1 targets met; missed: read; skipped: processesRead',
    )
  })

  it('says how much was stored in the run', () => {
    expect(titleOf('largeRead', quickSizes)).toBe('CPU of the read, 10,000 agents over 100')
    expect(titleOf('feedHome', fullSizes)).toBe('home feed, 200 friends, 1,000,000 posts')
  })
})

describe('what is recorded', () => {
  const none: History = { releases: [] }
  const first = recorded(none, { label: '1.0.0', about: 'a machine' }, results)

  it('keeps what was measured, and nothing of what was not', () => {
    expect([...resultsOf(first.releases[0] ?? never()).keys()]).toEqual([
      'read',
      'listWithTasks',
      'bootFirst',
    ])
  })

  it('replaces the rows of the same label that were measured again, and no others', () => {
    const again = new Map<Row, Result>([
      ['read', { value: 1.23456 }],
      ['bootFirst', { fault: 'Error' }],
    ])
    const { releases } = recorded(first, { label: '1.0.0', about: 'the same' }, again)
    expect(releases).toHaveLength(1)
    expect(releases[0]).toMatchObject({
      about: 'the same',
      results: {
        read: { value: 1.235 },
        bootFirst: { value: 3.9 },
        listWithTasks: { value: 15.43 },
      },
    })
  })

  it('adds another label behind', () => {
    const { releases } = recorded(first, { label: '1.1.0', about: '' }, results)
    expect(releases.map(({ label }) => label)).toEqual(['1.0.0', '1.1.0'])
  })
})

describe('the plot', () => {
  const release = (label: string, value: number) => ({
    label,
    about: '',
    results: { read: { value }, listWithTasks: { value: 9 } },
  })
  const plot = plotOf({ releases: [release('1 < 2', 3.2), release('b', 1.6)] }, fullSizes)

  it('has a panel for each row with its figures over the releases, the latest with its verdict', () => {
    expect(plot.match(/<g /g)).toHaveLength(2)
    expect(plot.match(/<circle/g)).toHaveLength(4)
    expect(plot).toContain('1.60 times</text>')
    expect(plot).toContain('≤ 1.60 times, met</text>')
  })

  it('draws the target only where there is one, and a higher figure higher', () => {
    expect(plot.match(/class="target"/g)).toHaveLength(1)
    const [, before = '', after = ''] = /points="5,([\d.]+) 185,([\d.]+)"/.exec(plot) ?? []
    expect(Number(before)).toBeLessThan(Number(after))
  })

  it('is a picture with any name of a release', () => {
    expect(plot).toContain('1 1 &lt; 2 · 2 b')
  })
})

function never(): never {
  throw new Error('nothing was recorded')
}
