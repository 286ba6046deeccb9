import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeStores, hiding, ids, plain, thing } from './store-things.ts'

const oddNames = [
  '$ref',
  '$set',
  '$',
  'a.b',
  '.',
  '',
  ' ',
  '7',
  '007',
  '-1',
  '😀',
  'é',
  'constructor',
  'prototype',
  'toString',
  '__proto__',
  '_id',
  '_bsontype',
  'id',
  '~',
  '~_id',
  '~%0024ref',
  '%',
  '%0024',
  'nul\0nul',
  '\0',
  '"',
  "'",
  '\u2028',
  '\ud800',
  'half\udfff$',
]

const oddTexts = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00 broken',
  '😀',
  '\u2028',
  '"\\',
  '$ne',
  "'; --",
  '\uffff',
]

// A name with a backslash makes JSON.parse of some releases of V8 misread other names with an
// escape in them, wherever they come from (nodejs/node#63785): it has a sentence of its own.
const name = fc
  .oneof(fc.constantFrom(...oddNames), fc.string({ unit: 'binary', maxLength: 8 }))
  .filter((one) => !one.includes('\\'))
const text = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 12 }))
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)

/** Any JSON, with the names and texts above more often than chance would have them. */
const anyJson = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('json')), { maxLength: 5 })
      .map((members) => Object.fromEntries(members)),
  ),
})).json

describeStores('a value', (use) => {
  it('of any kind comes back as it was, in the document and in the text', async () => {
    let n = 0
    const property = fc.asyncProperty(anyJson, anyJson, async (output, claim) => {
      n += 1
      const document = { id: `v${n}`, output, variables: claim, end: [claim] }
      const json = JSON.stringify(document)
      await use()[hiding].insert(document)
      expect(JSON.stringify(document)).toBe(json)
      const read = await use()[hiding].get(document.id)
      const { id, output: readOutput, variables, end } = read ?? thing('')
      expect(JSON.stringify({ id, output: readOutput, variables, end })).toBe(json)
      const [row] = await use()[hiding].text({ id })
      expect(row?.text).toBe(JSON.stringify({ id, output, end: [claim] }))
    })
    await fc.assert(property, { numRuns: 300 })
  })

  it('comes back from changes and replacements as it was', async () => {
    await use()[hiding].insert(thing('v', { list: [] }))
    const property = fc.asyncProperty(anyJson, anyJson, async (output, claim) => {
      const change = { $set: { output, 'deep.er': claim, claim }, $push: { list: output } }
      const changed = await use()[hiding].update({ id: 'v' }, change)
      const json = (value: unknown): string => JSON.stringify(value)
      expect(json(changed?.output)).toBe(json(output))
      const read = await use()[hiding].get('v')
      expect(json([read?.output, read?.deep, read?.claim])).toBe(
        json([output, { er: claim }, claim]),
      )
      expect(json(Array.isArray(read?.list) && read.list.at(-1))).toBe(json(output))
      const replace = { id: 'v', list: [], output: claim }
      await use().commit([{ in: hiding, update: {}, replace }])
      expect(json((await use()[hiding].get('v'))?.output)).toBe(json(claim))
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('may have any name for a member, one by one', async () => {
    for (const odd of oddNames) {
      const document = { id: 'n', output: JSON.parse(`{${JSON.stringify(odd)}:{"x":1}}`) }
      await use()[plain].insert(document)
      expect((await use()[plain].text({ id: 'n' }))[0]?.text).toBe(JSON.stringify(document))
      expect(JSON.stringify((await use()[plain].get('n'))?.output)).toBe(
        JSON.stringify(document.output),
      )
      await use()[plain].delete({ id: 'n' })
    }
  })

  it('may have a backslash in a name', async () => {
    const output = { only: 1, 'here\\': 2, '\\\\here': { 'a\\.b': 3 }, '$\\here': [] }
    await use()[plain].insert(thing('b', { output }))
    expect((await use()[plain].get('b'))?.output).toEqual(output)
    expect((await use()[plain].text({}))[0]?.text).toBe(JSON.stringify(thing('b', { output })))
  })

  it('is never taken for anything but JSON', async () => {
    const output = [
      { _bsontype: 'ObjectId', id: 'x' },
      { _bsontype: 'Code', code: 'throw 1' },
      { $oid: '507f1f77bcf86cd799439011' },
      { $ref: 'runs', $id: 'r', $db: 'admin' },
      { $date: '2026-01-01T00:00:00Z' },
      { $numberLong: '1' },
      { $binary: 'AAAA', $type: '00' },
      { type: 'Buffer', data: [1] },
      '2026-01-01T00:00:00Z',
      '507f1f77bcf86cd799439011',
    ]
    await use()[plain].insert(thing('j', { output }))
    await use()[plain].update({ id: 'j' }, { $set: { again: output }, $push: { list: output[0] } })
    const read = await use()[plain].get('j')
    expect(read).toEqual(thing('j', { output, again: output, list: [output[0]] }))
  })

  it('called __proto__ is a member like any other and changes no other object', async () => {
    const output: unknown = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    )
    await use()[plain].insert(thing('p', { output }))
    const read = await use()[plain].get('p')
    await use()[plain].update({ id: 'p' }, { $set: { again: output } })
    expect(JSON.stringify(read?.output)).toBe(JSON.stringify(output))
    expect(Object.getPrototypeOf(read?.output)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
    await expect(
      use()[plain].update({ id: 'p' }, { $set: { '__proto__.polluted': 1 } }),
    ).rejects.toBeInstanceOf(TypeError)
    expect('polluted' in {}).toBe(false)
  })

  it('may be a list of anything, and lists of lists', async () => {
    const output = [[], [[]], {}, [null, [{ $each: [1] }]], '', false, 0]
    await use()[plain].insert(thing('l', { output }))
    expect((await use()[plain].get('l'))?.output).toEqual(output)
    await use()[plain].update({ id: 'l' }, { $push: { output: { $each: [1, 2] } } })
    expect((await use()[plain].get('l'))?.output).toEqual([...output, { $each: [1, 2] }])
    await use()[plain].update({ id: 'l' }, { $set: { output: { $inc: { n: 1 } } } })
    expect((await use()[plain].get('l'))?.output).toEqual({ $inc: { n: 1 } })
  })

  it('may be large', async () => {
    const output = {
      text: 'é'.repeat(1_000_000),
      list: Array.from({ length: 20_000 }, (_, n) => n),
    }
    await use()[plain].insert(thing('big', { output }))
    expect((await use()[plain].get('big'))?.output).toEqual(output)
  })

  it('may be an id with any character', async () => {
    for (const id of ['a b', "x'y", 'é😀', 'a\0b', 'a\0', '\0', '$id', 'a.b', '_id']) {
      await use()[plain].insert(thing(id, { n: 1 }))
      expect(await use()[plain].get(id)).toEqual(thing(id, { n: 1 }))
      expect(await use()[plain].update({ id }, { $inc: { n: 1 } })).toEqual(thing(id, { n: 2 }))
      const [row] = await use()[plain].text({ id })
      expect({ ...row }).toEqual({ id, text: JSON.stringify(thing(id, { n: 2 })) })
      expect(await use()[plain].delete({ id })).toBe(1)
    }
  })

  it('may be an id of whole characters only', async () => {
    await use()[plain].insert(thing('\ufffdx'))
    await expect(use()[plain].insert(thing('\ud800x'))).rejects.toBeInstanceOf(TypeError)
    expect(await use()[plain].get('\ud800x')).toBeUndefined()
    expect(await use()[plain].count({ id: '\ud800x' })).toBe(0)
  })

  it('is found by itself alone, broken text too', async () => {
    const texts = [...oddTexts, '\ufffd', '\ufffd broken']
    for (const [n, s] of texts.entries()) await use()[plain].insert(thing(`t${n}`, { s, l: [s] }))
    for (const [n, s] of texts.entries()) {
      for (const filter of [{ s }, { s: { $in: [s] } }, { l: { $all: [s] } }]) {
        expect(ids(await use()[plain].find(filter))).toEqual([`t${n}`])
      }
    }
  })
})
