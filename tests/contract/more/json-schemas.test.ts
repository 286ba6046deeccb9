import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { openSchemas } from '#adapters/threads/schemas/schemas.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { JsonSchemas } from '#src/ports/json-schemas.ts'

describe('the check of a value against a JSON Schema', () => {
  let schemas: JsonSchemas
  let portions: number
  let now = 0
  const clock: Pick<Clock, 'turn' | 'monotonic'> = {
    turn: () => {
      portions += 1
      return systemClock.turn()
    },
    // Each step takes the time of a portion.
    monotonic: () => (now += 10),
  }
  beforeEach(() => {
    portions = 0
    schemas = openSchemas(clock)
  })
  afterEach(() => schemas.close())

  const schema = {
    $defs: { name: { type: 'string', minLength: 1 } },
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: { $ref: '#/$defs/name' } } },
    additionalProperties: false,
  }

  it('says nothing of what fits, and where what does not fit is', async () => {
    expect(await schemas.misfits(schema, { items: ['a'] }, 'a')).toEqual([])
    const [first] = await schemas.misfits(schema, { items: ['a', 4] }, 'a')
    expect(first?.pointer).toBe('/items/1')
    expect(first?.message).toContain('string')
    expect(await schemas.misfits(schema, {}, 'a')).toHaveLength(1)
    expect((await schemas.misfits(schema, { items: [], more: 1 }, 'a'))[0]?.pointer).toBe('/more')
    expect(await schemas.misfits(schema, null, 'a')).not.toEqual([])
  })

  it('says at most ten faults', async () => {
    const value = { items: Array.from({ length: 50 }, () => 1) }
    expect(await schemas.misfits(schema, value, 'a')).toHaveLength(10)
  })

  it('asserts no format, as the dialect has it', async () => {
    expect(await schemas.misfits({ format: 'email' }, 'no mail', 'a')).toEqual([])
    expect(
      await schemas.misfits({ properties: { format: { type: 'string' } } }, { format: 1 }, 'a'),
    ).not.toEqual([])
  })

  it('holds the loop for a moment at most, no matter what is compared with what', async () => {
    const few = Array.from({ length: 600 }, (_, id) => ({ id, of: { id } }))
    const many = Array.from({ length: 30 }, (_, i) => ({ const: i }))
    const cases: [object, unknown][] = [
      [{ uniqueItems: true }, few],
      [{ items: { anyOf: many } }, few],
      [{ items: { enum: few } }, few],
    ]
    for (const [one, value] of cases) {
      await schemas.misfits({ ...one }, value, 'a')
      // Of the processor: by the clock, it would wait for others too.
      const begun = process.threadCpuUsage()
      await schemas.misfits({ ...one }, value, 'a')
      const { user, system } = process.threadCpuUsage(begun)
      expect((user + system) / 1000).toBeLessThan(20)
    }
  })

  it('of what is large does not hold the loop, and gives up what takes too long', async () => {
    const items = Array.from({ length: 40_000 }, (_, i) => `x${i}`)
    expect(await schemas.misfits(schema, { items }, 'a')).toEqual([])
    // It is given to the thread as a text, which is written in turns of the loop.
    expect(portions).toBeGreaterThan(8)
    let turns = 0
    const beat = setInterval(() => (turns += 1), 20)
    const unique = { type: 'array', uniqueItems: true }
    const objects = Array.from({ length: 60_000 }, (_, id) => ({ id }))
    expect(await schemas.misfits(unique, objects, 'a')).toEqual([
      { pointer: '', message: 'takes too long to be checked' },
    ])
    clearInterval(beat)
    expect(turns).toBeGreaterThan(20)
    expect(await schemas.misfits(schema, { items }, 'a')).toEqual([])
  })

  it('checks large values of accounts in turn, and refuses the 65th of one that waits', async () => {
    const large = { items: Array.from({ length: 3000 }, (_, i) => `x${i}`) }
    const order: string[] = []
    const check = async (accountId: string): Promise<void> => {
      await schemas.misfits(schema, large, accountId)
      order.push(accountId)
    }
    const own = Array.from({ length: 65 }, () => check('a'))
    const refused = { code: 'unavailable', message: expect.stringContaining('Too many') }
    await expect(check('a')).rejects.toMatchObject(refused)
    await Promise.all([...own, check('b')])
    expect(order.slice(0, 3)).toEqual(['a', 'a', 'b'])
  })

  it('lets work that is bounded by itself wait, until it is given up', async () => {
    const large = { items: Array.from({ length: 3000 }, (_, i) => `x${i}`) }
    const own = Array.from({ length: 65 }, () => schemas.misfits(schema, large, 'a'))
    const patient = schemas.patient().misfits(schema, { items: [...large.items, 1] }, 'a')
    const giving = new AbortController()
    const given = schemas.patient(giving.signal).misfits(schema, large, 'a')
    giving.abort('given up')
    await expect(given).rejects.toBe('given up')
    const late = schemas.patient(giving.signal).misfits(schema, large, 'a')
    await expect(late).rejects.toBe('given up')
    expect(await patient).toHaveLength(1)
    expect(await Promise.all(own)).toEqual(own.map(() => []))
    // What was given up has left its place.
    expect(await schemas.misfits(schema, large, 'a')).toEqual([])
  })
})
