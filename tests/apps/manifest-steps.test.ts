import { describe, expect, it } from 'vitest'
import { checkSteps } from '#src/apps/check.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { parseSteps } from '#src/apps/parsed.ts'
import { checked } from '#src/core/input/check.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'

const agents = 50
const tasksOfEach = 20

function manifest(task: (agent: number, position: number) => object): object {
  return {
    app_id: 'large',
    name: 'Large',
    agents: Array.from({ length: agents }, (_, i) => ({
      local_id: `a${i}`,
      name: 'Agent',
      heart: { tasks: Array.from({ length: tasksOfEach }, (_, j) => task(i, j)) },
    })),
    webhook: { url: 1 },
  }
}

const sound = { ...manifest((_, j) => ({ task_id: `t${j}`, name: 'T' })), webhook: null }

/** How many steps there are, and what they make. */
function counted<T>(steps: Steps<T>): { count: number; value: T } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (done) return { count, value }
  }
}

describe('a manifest that is parsed in steps', () => {
  it('has one for each agent and each task, and is what it is at once', () => {
    const { count, value } = counted(parseSteps(sound))
    expect(count).toBeGreaterThan(agents * tasksOfEach)
    expect(JSON.stringify(value.data)).toBe(JSON.stringify(Manifest.parse(sound)))
  })

  it.each([
    [
      'of a task',
      manifest((i, j) => (i === 7 && j % 2 === 0 ? { name: 1, runtime: [] } : { name: 'T' })),
    ],
    ['of every task', { ...manifest(() => ({ name: '' })), webhook: null }],
    [
      'in place of tasks',
      { ...sound, agents: [{ local_id: 'a', name: 'A', heart: { tasks: 'T' } }, 1] },
    ],
    ['in place of a heart', { ...sound, agents: [{ local_id: 'a', name: 'A', heart: [] }] }],
    ['in place of agents', { ...sound, agents: {} }],
    ['of the number of agents', { ...sound, agents: [] }],
    ['of far more agents', { ...sound, agents: Array.from({ length: 51 }, () => 1) }],
    ['of the whole', [sound]],
  ])('has the same faults: %s', (_, raw) => {
    const inSteps = atOnce(parseSteps(raw))
    const whole = checked(Manifest, raw, 1000, 20_000)
    const told = (one: typeof inSteps) =>
      one.issues
        ?.map(({ code, path, message }) => `${code} ${path.join('/')} ${message}`)
        .toSorted()
    expect(told(inSteps)).toEqual(told(whole))
    expect(inSteps.data).toBeUndefined()
  })

  it('is checked further in a step or more for each agent', () => {
    const surroundings = { objection: () => undefined }
    const { count } = counted(checkSteps(sound, surroundings, atOnce(parseSteps(sound))))
    expect(count).toBeGreaterThan(3 * agents)
  })
})
