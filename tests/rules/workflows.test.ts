import { describe, expect, test } from 'vitest'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'
import { bestMatch, wordsOf } from '#src/runs/workflows/match.ts'

function task(task_id: string, rest: object = {}): StoredTask {
  const at = '2026-03-01T12:00:00.000Z'
  const kept = { char_id: 'ada', revision: 1, created_at: at, updated_at: at, task_id }
  const hidden = {
    trigger_secrets: null,
    due_at: null,
    reacts: null,
    awaited_calls: null,
    app_id: null,
  }
  const input = TaskInput.parse({ name: task_id, ...rest })
  return { ...input, ...kept, ...hidden, id: `ada/${task_id}`, owner_id: 'acc_1' }
}

describe('the words of a text', () => {
  test.each([
    ['The Café of my dreams', ['cafe', 'dream']],
    ['Parcels & parcel', ['parcel']],
    ['status bus glass', ['status', 'bus', 'glass']],
    ['gas laws', ['gas', 'law']],
    ['Ünïcode-straße 42', ['unicode', 'straße', '42']],
    ['請求書を送る', ['請求', '求書', '書を', 'を送', '送る']],
    ['猫 cat', ['猫', 'cat']],
    ['', []],
  ])('%j are %j', (text, words) => {
    expect([...wordsOf(text)].sort()).toEqual([...words].sort())
  })

  test('of a long text are looked for in its beginning', () => {
    const words = wordsOf(`${'x '.repeat(5000)}late`)
    expect(words).toEqual(new Set(['x']))
  })
})

describe('the best match', () => {
  const of = (text: string, ...tasks: StoredTask[]): string | undefined =>
    bestMatch(text, tasks)?.task.task_id

  test('prefers the name to tags, tags to the description, and that to the prompt', () => {
    const byPrompt = task('p', { prompt: 'invoice' })
    const byDescription = task('d', { description: 'invoice' })
    const byTag = task('t', { tags: ['invoice'] })
    const byName = task('n', { name: 'Invoices' })
    expect(of('invoice', byPrompt, byDescription, byTag, byName)).toBe('n')
    expect(of('invoice', byPrompt, byDescription, byTag)).toBe('t')
    expect(of('invoice', byPrompt, byDescription)).toBe('d')
    expect(of('invoice', byPrompt)).toBe('p')
  })

  test('counts a word the more the fewer tasks have it', () => {
    const plain = task('plain', { tags: ['report', 'daily'] })
    const other = task('other', { tags: ['report', 'daily'] })
    const rare = task('rare', { tags: ['report', 'gauges'] })
    expect(of('daily report of the gauges', plain, other, rare)).toBe('rare')
  })

  test('takes the first of equals, and none where no word is met', () => {
    expect(of('x1', task('a', { name: 'x1' }), task('b', { name: 'x1' }))).toBe('a')
    expect(of('x2', task('a', { name: 'x1' }))).toBeUndefined()
    expect(of('x2')).toBeUndefined()
  })

  test('has the score that is documented', () => {
    const two = [task('a', { name: 'ink', prompt: 'ink pen' }), task('b', { prompt: 'ink' })]
    const score = 4 * Math.log(1 + 2 / 2) + 1 * Math.log(1 + 2 / 1)
    expect(bestMatch('ink pen', two)).toMatchObject({ task: { task_id: 'a' }, score })
  })

  test('of a thousand tasks with long prompts is found soon', () => {
    const words = 'measure the water of every gauge in the harbour '.repeat(200)
    const many = Array.from({ length: 1000 }, (_, i) => task(`t${i}`, { prompt: words }))
    // Of the processor: by the clock, it would wait for others too.
    const begun = process.threadCpuUsage()
    expect(of('harbour gauge', ...many)).toBe('t0')
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1000).toBeLessThan(10_000)
  })
})
