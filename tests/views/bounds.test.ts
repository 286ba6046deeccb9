import { describe, expect, test } from 'vitest'
import { branches, linkMembers, type Link } from '#src/views/chain.ts'
import { layoutOf, type Edge } from '#src/views/team-layout.ts'
import { lasted } from '#src/views/moments.ts'
import { views } from '#src/views/views.ts'
import { largeTeam, longChain, samples, seen } from '#tests/support/apps/samples.ts'

const at = { now: seen, zone: 'UTC', input: {}, link: (path: string) => path }

/** What can be read of a markup. */
function textOf(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('a view of much', () => {
  test('draws fifty of 10,000 agents, and says how many it leaves out', () => {
    const { text } = views.team.show(largeTeam(10_000), at)
    expect(text.length).toBeLessThan(150_000)
    expect(text.match(/<g class="agent/g)).toHaveLength(100)
    expect(textOf(text)).toContain('9,950 more agents are not shown here.')
  })

  test('shows a hundred of a chain of 500 runs, the first at the top', () => {
    const { text } = views.run.show(longChain(500), at)
    expect(text.length).toBeLessThan(300_000)
    expect(text.match(/<li class="in-/g)).toHaveLength(100)
    expect(text.indexOf('id="r-run_1"')).toBeLessThan(text.indexOf('id="r-run_2"'))
    expect(textOf(text)).toContain('400 more runs are not shown here.')
  })

  test('says of a list that was cut that there is more', () => {
    const cut = { ...longChain(3), next_cursor: 'more' }
    expect(textOf(views.run.show(cut, at).text)).toContain('it has older ones')
  })
})

describe('a chain', () => {
  const link = (id: string, parent: string | null, created_at: string) =>
    ({ id, parent_run_id: parent, created_at }) as Link

  test('is a tree of which each run stands under the one that started it', () => {
    const runs = [
      link('c', 'a', '3'),
      link('d', 'b', '4'),
      link('b', 'a', '2'),
      link('a', null, '1'),
    ]
    expect(branches(runs).map(({ run, depth }) => `${run.id}${depth}`)).toEqual([
      'a0',
      'b1',
      'd2',
      'c1',
    ])
  })

  test('ends where runs of a hostile answer start each other, or are unknown', () => {
    const circle = [
      link('a', 'b', '1'),
      link('b', 'a', '2'),
      link('c', 'x', '3'),
      link('d', 'd', '4'),
    ]
    expect(branches(circle).map(({ run }) => run.id)).toEqual(['c', 'd'])
    expect(branches([])).toEqual([])
  })

  test('is read again by its members, without what is large', () => {
    const { answer } = samples['one run']?.('x') ?? {}
    const { operation, input } = views.run.again(answer ?? {}, at)
    expect(operation).toBe('runs.list')
    expect(input).toEqual({ root_run_id: 'run_1', limit: 100, fields: linkMembers })
    expect(linkMembers).not.toContain('input')
  })
})

describe('the picture of a team', () => {
  const edges = (...pairs: [number, number][]): Edge[] => pairs.map(([from, to]) => ({ from, to }))

  test('puts each agent below those that hand on to it', () => {
    const { places, rows } = layoutOf(4, edges([0, 1], [1, 2], [0, 2], [2, 3]), 4)
    expect(places.map(({ row }) => row)).toEqual([0, 1, 2, 3])
    expect(rows).toEqual([1, 1, 1, 1])
  })

  test('comes to an end for circles, and has a place of its own for each agent', () => {
    for (const size of [1, 2, 7, 40]) {
      const ring = Array.from({ length: size }, (_, i): [number, number] => [i, (i + 1) % size])
      const { places, rows } = layoutOf(size, edges(...ring, [0, 0]), 3)
      expect(new Set(places.map(({ row, column }) => `${row} ${column}`)).size).toBe(size)
      expect(Math.max(...rows)).toBeLessThanOrEqual(3)
    }
  })

  test('puts those who work with no one last', () => {
    expect(layoutOf(3, edges([1, 2]), 4).places.map(({ row }) => row)).toEqual([2, 0, 1])
  })
})

test.each([
  [0, '0 ms'],
  [950, '950 ms'],
  [2_400, '2.4 s'],
  [59_900, '60 s'],
  [125_000, '2 min 5 s'],
  [7_260_000, '2 h 1 min'],
  [3 * 86_400_000, '3 d'],
  [-5, '0 ms'],
])('%i ms is %s', (ms, words) => {
  expect(lasted(ms)).toBe(words)
})
