import { expect, it } from 'vitest'
import { describeStores, hiding, plain, thing } from '#tests/contract/store-things.ts'

describeStores('an insert with members as text', (use) => {
  const large = { book: [{ 'a.b': { $set: 'ünï "q"' } }, null], '7': 1, empty: {} }
  const more = JSON.stringify(large).slice(1, -1)

  it.each([plain, hiding] as const)('keeps them like all others in %s', async (name) => {
    const document = thing('a', { n: 1 })
    await use().commit([{ in: name, insert: document, more }])
    expect(await use()[name].get('a')).toEqual({ ...document, ...large })
    const [row] = await use()[name].text({ id: 'a' })
    expect(JSON.parse(row?.text ?? '')).toMatchObject(large)
    expect(await use()[name].find({ n: 1 })).toEqual([{ ...document, ...large }])
  })

  it('changes what it holds like any other', async () => {
    await use().commit([
      { in: plain, insert: thing('a', { n: 1 }), more },
      { in: plain, update: { id: 'a' }, change: { $inc: { n: 1 } } },
    ])
    expect(await use()[plain].get('a')).toEqual({ ...thing('a', { n: 2 }), ...large })
  })
})
