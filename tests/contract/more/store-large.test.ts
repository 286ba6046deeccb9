import { expect, it } from 'vitest'
import { describeStores, hiding, ids, plain, thing } from '#tests/contract/store-things.ts'

const texts = {
  plain: 'plain '.repeat(300_000),
  'one é': `é${'漢'.repeat(600_000)}`,
  'pairs 😀': `x${'😀'.repeat(300_000)}`,
  quotes: '"\\\n\u0007'.repeat(100_000),
}
const members = {
  ...texts,
  list: Array.from({ length: 20_000 }, (_, i) => [i, { of: `item ${i}` }]),
  'of "many", {': { inner: texts.quotes, none: null },
}
// A literal would set the prototype.
const names = JSON.parse(`{"__proto__":{"a":1},"0":${JSON.stringify(texts.plain)}}`) as object

describeStores('a document of megabytes', (use) => {
  it.each([plain, hiding] as const)('is read as it was written, in %s', async (name) => {
    // `hiding` hides the claim.
    const document = thing('b', { n: 1, ...members, claim: { names, ...texts } })
    await use()[name].insert(thing('a', { n: 1 }))
    await use().commit([{ in: name, insert: document }])
    await use()[name].insert(thing('c', { n: 1 }))
    // Far faster than a comparison of the values.
    const whole = JSON.stringify(document)
    const written = (one: object | undefined): string => {
      const { id, n, claim, ...rest } = { claim: undefined, ...one } as Record<string, unknown>
      return JSON.stringify({ id, n, ...rest, claim })
    }
    expect(written(await use()[name].get('b')) === whole).toBe(true)
    const found = await use()[name].find({ n: 1 }, { sort: { id: 1 } })
    expect(ids(found)).toEqual(['a', 'b', 'c'])
    expect(written(found[1]) === whole).toBe(true)
    const [row] = await use()[name].text({ id: 'b' })
    const shown = JSON.parse(row?.text ?? '') as object
    expect(Object.hasOwn(shown, 'claim')).toBe(name === plain)
    expect(written({ ...document, ...shown }) === whole).toBe(true)
    const rows = await use().texts([
      { in: plain, filter: { id: 'nothing' } },
      { in: name as typeof plain, filter: { id: 'b' } },
    ])
    expect(rows[0]).toEqual([])
    expect(rows[1]?.[0]?.text === row?.text).toBe(true)
  })

  it('is replaced and changed like others', async () => {
    await use()[plain].insert(thing('a', { n: 1, text: texts.plain }))
    await use().commit([
      { in: plain, update: { id: 'a' }, replace: thing('a', { n: 2, text: texts.quotes }) },
    ])
    expect(await use()[plain].get('a')).toEqual(thing('a', { n: 2, text: texts.quotes }))
    await use()[plain].update({ id: 'a' }, { $inc: { n: 1 } })
    expect(await use()[plain].find({ n: 3 })).toEqual([thing('a', { n: 3, text: texts.quotes })])
  })

  it('is the last that is read where it is longer than asked for', async () => {
    const text = '漢'.repeat(200_000)
    for (const id of ['a', 'b', 'c', 'd']) await use()[plain].insert(thing(id, { text }))
    const read = async (charactersAtMost: number): Promise<string[]> => {
      const options = { sort: { id: 1 }, charactersAtMost } as const
      const [found, rows] = await Promise.all([
        use()[plain].find({}, options),
        use()[plain].text({}, options),
      ])
      expect(rows.every((row) => row.text.includes(text))).toBe(true)
      // MongoDB counts the bytes of what is found.
      expect(found.length).toBeLessThanOrEqual(rows.length)
      return ids(rows)
    }
    expect(await read(1)).toEqual(['a', 'b'])
    expect(await read(350_000)).toEqual(['a', 'b'])
    expect(await read(450_000)).toEqual(['a', 'b', 'c'])
    expect(await read(2_000_000)).toEqual(['a', 'b', 'c', 'd'])
  })
})
