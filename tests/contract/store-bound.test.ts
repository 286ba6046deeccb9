import { expect, it } from 'vitest'
import { Unmet } from '#src/ports/store.ts'
import { describeStores, hiding, plain, thing, type ThingWrite } from './store-things.ts'

describeStores('an update that sets what is there already', (use) => {
  it('holds off a delete of the document at the same moment', async () => {
    const of = (n: number): string => `x${n}`
    const bound = (n: number): ThingWrite[] => [
      { in: plain, update: { id: of(n) }, change: { $set: { n } } },
      { in: hiding, insert: thing(`of-${of(n)}`) },
    ]
    const gone = (n: number): ThingWrite[] => [
      { in: plain, delete: { id: of(n) } },
      { in: hiding, delete: { id: `of-${of(n)}` } },
    ]
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    await use().commit(numbers.map((n) => ({ in: plain, insert: thing(of(n), { n }) })))
    const ends = await Promise.allSettled(
      numbers.flatMap((n) => [use().commit(bound(n)), use().commit(gone(n))]),
    )
    for (const end of ends) {
      if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(Unmet)
    }
    // Either it was there first and went too, or its document was gone.
    expect(await use()[plain].count({})).toBe(0)
    expect(await use()[hiding].find({})).toEqual([])
  })

  it('leaves no trace in the document', async () => {
    await use()[plain].insert(thing('a', { n: 1 }))
    await use().commit([
      { in: plain, update: { id: 'a' }, change: { $set: { n: 1 } } },
      { in: plain, update: { id: 'a' }, change: {} },
      { in: hiding, insert: thing('b') },
    ])
    expect(await use()[plain].get('a')).toEqual(thing('a', { n: 1 }))
    const [row] = await use()[plain].text({ id: 'a' })
    expect(JSON.parse(row?.text ?? '')).toEqual(thing('a', { n: 1 }))
  })
})
