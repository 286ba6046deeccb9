import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { answer } from '#src/core/answer.ts'
import { Refusal } from '#src/core/errors.ts'
import { shownOf, slimmed } from '#src/core/input/slim.ts'

const slim = catalog.filter((op) => op.slim)

describe('an answer that is asked for in part', () => {
  it.each(slim.map((op) => [op.name, op] as const))(
    'of %s has a summary of members that it has',
    (_, op) => {
      const fields = [...(op.slim?.summary ?? [])]
      expect(shownOf(op, { fields }).shown).toEqual(new Set(fields))
      expect(shownOf(op, { view: 'summary' }).shown).toEqual(new Set(fields))
      expect(shownOf(op, { view: 'summary', fields: fields.slice(0, 2) }).shown).toEqual(
        new Set(fields.slice(0, 2)),
      )
      expect(shownOf(op, { limit: 1 })).toEqual({ valid: { limit: 1 } })
    },
  )

  it('takes fields one by one or with commas, and refuses what it has not', () => {
    const [op] = slim
    if (!op) throw new Error('there are such operations')
    expect(shownOf(op, { fields: ['id,name', 'x-own'] }).shown).toEqual(
      new Set(['id', 'name', 'x-own']),
    )
    const many = Array.from({ length: 50 }, () => ',a'.repeat(249))
    expect(() => shownOf(op, { fields: many })).toThrow(Refusal)
    for (const name of ['__proto__', 'constructor', '']) {
      expect(() => shownOf(op, { fields: [name] })).toThrow(Refusal)
    }
  })

  it('keeps what it says besides its text, and a refusal whole', () => {
    const op = slim.find(({ name }) => name === 'tasks.get')
    if (!op) throw new Error('there is such an operation')
    const whole = answer({ task_id: 'a', reliability: { a: null, b: [null] } }, { revision: 3 })
    const part = slimmed(op, whole, new Set(['reliability']))
    expect([part.text, part.revision]).toEqual(['{"reliability":{"b":[null]}}', 3])
    const kept = answer({ a: null }, { refused: { code: 'internal_error', message: 'x' } })
    expect(slimmed(op, kept, new Set(['b']))).toBe(kept)
  })
})
