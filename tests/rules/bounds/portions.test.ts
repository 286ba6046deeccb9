import { expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { atOnce, inPortions, inPortionsIfLong, type Steps } from '#src/core/turns/portions.ts'
import { openapi, openapiSteps } from '#src/documents/openapi.ts'
import { offered } from '#src/core/operation-facts.ts'
import { toolSteps } from '#protocol/mcp/tools.ts'

/** A clock on which each look takes a millisecond, and which counts turns. */
function slow() {
  let now = 0
  let turns = 0
  return {
    monotonic: () => (now += 1),
    turn: () => {
      turns += 1
      return Promise.resolve()
    },
    turns: () => turns,
  }
}

function* counting(steps: number): Steps<number> {
  for (let i = 0; i < steps; i++) yield
  return steps
}

test('steps are done in portions, each in a turn of its own', async () => {
  const clock = slow()
  expect(await inPortions(counting(39), clock)).toBe(39)
  // Four steps of a millisecond make a portion, and the end of the work is a step too.
  expect(clock.turns()).toBe(10)
})

test('work of one step takes no turn, and work of more is done in portions', async () => {
  const clock = slow()
  expect(inPortionsIfLong(counting(0), clock)).toBe(0)
  expect(clock.turns()).toBe(0)
  expect(await inPortionsIfLong(counting(39), clock)).toBe(39)
  expect(clock.turns()).toBeGreaterThan(5)
})

test('one fault ends the work', async () => {
  function* faulty(): Steps<never> {
    yield
    throw new Error('the second step')
  }
  await expect(inPortions(faulty(), slow())).rejects.toThrow('the second step')
  expect(() => atOnce(faulty())).toThrow('the second step')
})

/** How many steps there are, and what they make. */
const taken = (steps: Steps<unknown>): { steps: number; value: unknown } => {
  let count = 1
  for (;;) {
    const { done, value } = steps.next()
    if (done) return { steps: count, value }
    count += 1
  }
}

test('what is made of the whole catalog is made in steps of one operation, and the same at once', () => {
  const tools = offered(catalog)
  const listed = taken(toolSteps(tools))
  // Its input, its size, its place, what is shown of it, its tool.
  expect(listed.steps).toBeGreaterThanOrEqual(5 * tools.length)
  expect(listed.value).toEqual(atOnce(toolSteps(tools)))
  const contract = taken(openapiSteps(catalog, 'https://a.example'))
  expect(contract.steps).toBeGreaterThan(3 * catalog.length)
  expect(contract.value).toEqual(openapi(catalog, 'https://a.example'))
})
