import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { ranked } from '#src/core/words/rank.ts'
import { memberLines } from '#src/documents/lookup/member-lines.ts'
import { namedOperation } from '#src/core/words/named-operation.ts'
import { questions } from './questions.ts'

const found = (text: string): string[] => ranked(catalog, text).map(({ op }) => op.name)

describe('the words of a question', () => {
  it.each(questions)('"%s" finds %s', (question, operation, among) => {
    expect(found(question).slice(0, among)).toContain(operation)
  })

  it('say the same in another form: endings, case, underscores, a word for another', () => {
    const [first] = found('run a task')
    for (const same of ['Running TASKS', 'run_task', 'runTask', 'please execute my task now']) {
      expect(found(same).slice(0, 3)).toContain(first)
    }
  })

  it('find nothing if no operation has any of them', () => {
    expect(found('xylophone quokka')).toEqual([])
    expect(found('')).toEqual([])
    expect(found('!!! … ???')).toEqual([])
    expect(found('the of a')).toEqual([])
    expect(found('help')).toEqual([])
  })

  it('cost the same however many there are', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `word${i} run`).join(' ')
    // Of the processor: by the clock, it would wait for others too.
    const begun = process.threadCpuUsage()
    for (let i = 0; i < 20; i++) ranked(catalog, many)
    const { user, system } = process.threadCpuUsage(begun)
    // Each takes a tenth of a millisecond or so; without the bound it would be hundreds.
    expect((user + system) / 1000).toBeLessThan(500)
    expect(ranked(catalog, 'a'.repeat(1_000_000))).toEqual([])
  })

  it('are no names of members of objects', () => {
    expect(found('constructor __proto__ toString')).toEqual([])
  })
})

describe('the members of an operation', () => {
  const lines = (name: string) => {
    const op = namedOperation(catalog, name)
    return op && memberLines(op)
  }

  it('are told in one line each', () => {
    expect(lines('commons.replies.create')).toMatchObject({
      thread_id: 'string, required',
      body: 'string, required: Markdown',
      parent_id: 'string: The reply that this one replies to',
    })
    expect(lines('runs.lease')).toMatchObject({
      wait_seconds: 'integer 0 to 60: Wait this long for a run',
    })
    expect(lines('runs.list')).toMatchObject({
      status: expect.stringContaining('queued | running'),
    })
    expect(lines('agent_apps.provision')).toMatchObject({
      manifest: 'object, required: operations.get shows its members',
    })
  })

  it('have a line each, which is short', () => {
    for (const op of catalog) {
      const told = memberLines(op)
      expect(Object.keys(told)).toEqual(Object.keys(op.input.shape))
      for (const line of Object.values(told)) expect(line.length).toBeLessThan(190)
    }
  })
})
