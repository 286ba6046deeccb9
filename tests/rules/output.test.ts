import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsInMemory } from '#src/agents/memory/entry.ts'
import {
  artifactBytesAtMost,
  artifactBytesOfRun,
  artifactsAtMost,
  keptArtifacts,
} from '#src/runs/output/artifacts.ts'
import { handedInput, isSelected } from '#src/runs/output/handoff-input.ts'
import { PostContent } from '#src/feed/post.ts'
import { postingOf } from '#src/runs/output/post.ts'
import { cutTo, workOf } from '#src/runs/output/result.ts'
import { newRun } from '#src/runs/new-run.ts'
import type { Outcome } from '#src/runs/ended.ts'
import { TaskOutputSharing } from '#src/agents/tasks/output-sharing.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

function task(more: object = {}): StoredTask {
  const input = TaskInput.parse({ name: 'T', runtime: 'template', ...more })
  const place = { charId: 'ada', ownerId: 'acc_1', appId: null, taskId: 't' }
  return taskFrom(input, { ...place, now: now.toISOString() }).task
}

const run = newRun(task(), { trigger: { type: 'manual', at: now.toISOString() }, input: '' }, now)
const completed = (output: unknown, more: object = {}): Outcome => ({
  status: 'completed',
  output,
  ...more,
})

describe('the result of a run', () => {
  it.each([
    ['text', 'text', false],
    [' ', ' ', true],
    ['', '', true],
    [{ a: 1 }, '{"a":1}', false],
    [0, '0', false],
    [false, 'false', false],
    ['[]', '[]', false],
    [[], '[]', true],
    [{}, '{}', true],
    [null, 'null', true],
    [undefined, 'null', true],
  ])('%j is shown as %j', (output, text, isEmpty) => {
    expect(workOf(completed(output))).toEqual({ output: output ?? null, text, isEmpty })
  })

  it('is nothing where the run failed, or was not to work', () => {
    const error = { code: 'x', message: 'x' }
    expect(workOf({ status: 'failed', error })).toBeUndefined()
    expect(workOf({ status: 'cancelled', error: null })).toBeUndefined()
    for (const reason of ['resumed', 'rejected', 'expired']) {
      expect(workOf(completed('x', { reason }))).toBeUndefined()
    }
  })

  it('is cut between characters', () => {
    expect(cutTo(3, 'abc')).toBe('abc')
    expect(cutTo(3, 'abcd')).toBe('abc')
    expect(cutTo(3, 'a😀😀😀')).toBe('a😀😀')
    expect(cutTo(3, '😀😀😀😀').isWellFormed()).toBe(true)
    expect(cutTo(3, '')).toBe('')
  })
})

describe('the post of a run', () => {
  const posted = (output: unknown, more?: object) =>
    postingOf({ run, task: task(more), outcome: completed(output) })

  it('is made by default, and not of nothing', () => {
    expect(posted('hello')).toMatchObject({ content: 'hello', source: 'task', run_id: run.id })
    expect(posted({})).toBeUndefined()
    expect(posted('hello', { post_to_feed: false })).toBeUndefined()
    const outcome = completed('hello')
    expect(postingOf({ run, task: undefined, outcome })).toBeUndefined()
  })

  it('holds what may be posted by hand, and no more', () => {
    const content = (output: unknown) => posted(output)?.content
    const smuggled = 'a\u202eb \u0007c\u{e0041}\u200b\r\n\td'
    expect(content(smuggled)).toBe('ab c\r\n\td')
    expect(content('👩\u200d💻 नमस्\u200dते ❤\ufe0f')).toBe('👩\u200d💻 नमस्\u200dते ❤\ufe0f')
    for (const blank of ['\u200b', ' \u2800\u00ad', '\u0000', '\u{e0041}\n']) {
      expect(posted(blank)).toBeUndefined()
    }
    const pieces = [
      'a',
      '0',
      '😀',
      'ا',
      'न',
      '\n',
      '\ufe0f',
      '\u200d',
      '\u200e',
      '\u202e',
      '\u{e0041}',
    ]
    const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 20 })
    fc.assert(
      fc.property(mixed, (found) => {
        expect(PostContent.safeParse(content(`x${found.join('')}`)).success).toBe(true)
      }),
    )
  })
})

describe('the artifacts of a run', () => {
  const local = { artifact_stores: [{ type: 'local' }] }
  const kept = (outcome: Outcome, more: object = {}) =>
    keptArtifacts(outcome, task(more), run.id, now)
  const named = (n: number, content = 'x') =>
    Array.from({ length: n }, (_, i) => ({ name: `a${i}`, content }))
  const reasons = ({ writes }: ReturnType<typeof keptArtifacts>) =>
    writes.map((write) => ('insert' in write && write.in === 'run_events' ? write.insert : {}))

  it('are left as they are where there is nothing to do', () => {
    const outcome = completed('x')
    expect(kept(outcome)).toEqual({ outcome, writes: [] })
    expect(kept(outcome).outcome).toBe(outcome)
  })

  it('are so many at most, the output among them', () => {
    const made = kept(completed('x', { artifacts: named(artifactsAtMost) }), local)
    if (made.outcome.status !== 'completed') throw new Error('it completed')
    expect(made.outcome.artifacts).toHaveLength(artifactsAtMost)
    expect(made.outcome.artifacts?.[0]).toMatchObject({ name: 'output.txt', content: 'x' })
    const last = `a${artifactsAtMost - 1}`
    expect(reasons(made)).toMatchObject([{ type: 'artifact.dropped', data: { name: last } }])
  })

  it('are each so large at most, counted in bytes', () => {
    const most = 'x'.repeat(artifactBytesAtMost)
    const artifacts = [
      { name: 'most', content: most },
      { name: 'more', content: `${most}x` },
      { name: 'wide', content: '€'.repeat(artifactBytesAtMost / 2) },
      { name: 'elsewhere', url: 'https://example.com/' },
    ]
    const made = kept(completed('x', { artifacts }))
    expect(made.outcome).toMatchObject({ artifacts: [{ name: 'most' }, { name: 'elsewhere' }] })
    expect(reasons(made)).toMatchObject([{ data: { name: 'more' } }, { data: { name: 'wide' } }])
  })

  it('are so large at most together', () => {
    const artifacts = named(5, 'x'.repeat(artifactBytesAtMost - 100))
    const made = kept(completed('x', { artifacts }))
    expect(JSON.stringify(made.outcome).length).toBeLessThan(artifactBytesOfRun + 100)
    expect(reasons(made)).toMatchObject([{ data: { name: 'a4' } }])
  })

  it('are named by output_path, cut to what a name may be', () => {
    const path = `${'d'.repeat(300)}.txt`
    expect(kept(completed('x'), { ...local, output_path: path }).outcome).toMatchObject({
      artifacts: [{ name: 'd'.repeat(200) }],
    })
    expect(kept(completed([1]), { ...local, output_path: '  ' }).outcome).toMatchObject({
      artifacts: [{ name: 'output.json', media_type: 'application/json', content: '[1]' }],
    })
  })
})

describe('what a receiver is given', () => {
  const ended = { run: { ...run, artifacts: [{ name: 'a', url: 'https://x.example/' }] }, now }
  const sharing = (handoff_artifact: string | null) => TaskOutputSharing.parse({ handoff_artifact })

  it('is text, or an object wherever an artifact was to go along', () => {
    expect(handedInput(ended, sharing(null), 'fog')).toEqual({ input: 'fog', notes: [] })
    expect(handedInput(ended, sharing('a'), 'fog').input).toEqual({
      text: 'fog',
      artifact: { name: 'a', media_type: null, content: null, url: 'https://x.example/' },
    })
    const missing = handedInput(ended, sharing('b'), 'fog')
    expect(missing.input).toEqual({ text: 'fog', artifact: null })
    expect(missing.notes).toHaveLength(1)
  })

  it('goes to any agent unless some are selected, by any of its names', () => {
    expect(isSelected([], ['writer', 'app--writer'])).toBe(true)
    expect(isSelected(['app--writer'], ['writer', 'app--writer'])).toBe(true)
    expect(isSelected(['reader'], ['writer', 'app--writer'])).toBe(false)
  })
})

describe('a value', () => {
  it('fits in memory up to 64 KB of JSON', () => {
    expect(fitsInMemory('x'.repeat(65_534))).toBe(true)
    expect(fitsInMemory('x'.repeat(65_535))).toBe(false)
    expect(fitsInMemory('€'.repeat(21_844))).toBe(true)
    expect(fitsInMemory('€'.repeat(21_845))).toBe(false)
    expect(fitsInMemory('"'.repeat(40_000))).toBe(false)
    expect(fitsInMemory(null)).toBe(true)
  })
})
