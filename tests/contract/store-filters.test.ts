import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyFilter, anySort, anyThing, matches, sorted } from './store-oracle.ts'
import { describeStores, hiding, ids, plain, thing } from './store-things.ts'

describeStores('a filter', (use) => {
  const found = async (filter: object): Promise<string[]> =>
    ids(await use()[plain].find(filter, { sort: { id: 1 } }))

  const fill = async (documents: Record<string, object>): Promise<void> => {
    for (const [id, members] of Object.entries(documents)) {
      await use()[plain].insert(thing(id, members))
    }
  }

  it('without members matches everything', async () => {
    await fill({ a: {}, b: { n: 1 } })
    expect(await found({})).toEqual(['a', 'b'])
  })

  it('must hold with all its members', async () => {
    await fill({ a: { n: 1, s: 'x' }, b: { n: 1, s: 'y' }, c: { n: 2, s: 'x' } })
    expect(await found({ n: 1, s: 'x' })).toEqual(['a'])
  })

  it('takes null for a missing member, as $in does', async () => {
    await fill({ a: { s: null }, b: {}, c: { s: 'x' }, d: { s: '' } })
    expect(await found({ s: null })).toEqual(['a', 'b'])
    expect(await found({ s: { $in: [null, 'x'] } })).toEqual(['a', 'b', 'c'])
    expect(await found({ s: { $in: ['x', ''] } })).toEqual(['c', 'd'])
    expect(await found({ s: { $in: [] } })).toEqual([])
  })

  it('lets $ne match null and missing, unless null is what is excluded', async () => {
    await fill({ a: { s: null }, b: {}, c: { s: 'x' }, d: { s: 'y' } })
    expect(await found({ s: { $ne: 'x' } })).toEqual(['a', 'b', 'd'])
    expect(await found({ s: { $ne: null } })).toEqual(['c', 'd'])
  })

  it('tells null from missing with $exists', async () => {
    await fill({ a: { s: null }, b: {}, c: { s: { t: 1 } }, d: { s: [] } })
    expect(await found({ s: { $exists: true } })).toEqual(['a', 'c', 'd'])
    expect(await found({ s: { $exists: false } })).toEqual(['b'])
    expect(await found({ id: { $exists: true } })).toEqual(['a', 'b', 'c', 'd'])
    expect(await found({ id: { $exists: false } })).toEqual([])
  })

  it('never compares what is null or missing', async () => {
    await fill({ a: { n: null }, b: {}, c: { n: -1 }, d: { n: 0 }, e: { n: 1.5 } })
    expect(await found({ n: { $lt: 1 } })).toEqual(['c', 'd'])
    expect(await found({ n: { $lte: 0 } })).toEqual(['c', 'd'])
    expect(await found({ n: { $gt: -1, $lte: 1.5 } })).toEqual(['d', 'e'])
    expect(await found({ n: { $gte: 0 } })).toEqual(['d', 'e'])
    expect(await found({ n: { $gte: null } })).toEqual([])
    expect(await found({ n: { $lt: null } })).toEqual([])
  })

  it('compares text by code point, instants with it, and the id too', async () => {
    await fill({ a: { s: 'Z' }, b: { s: 'a' }, c: { s: 'é' }, d: { s: '\ufffd' }, e: { s: '😀' } })
    expect(await found({ s: { $gt: 'a' } })).toEqual(['c', 'd', 'e'])
    expect(await found({ s: { $lt: 'a' } })).toEqual(['a'])
    expect(await found({ s: { $gt: '\ufffd' } })).toEqual(['e'])
    expect(await found({ id: { $gt: 'b', $lte: 'd' } })).toEqual(['c', 'd'])
    expect(await found({ id: { $in: ['a', 'e', 'x'] } })).toEqual(['a', 'e'])
    expect(await found({ id: { $ne: 'a' } })).toEqual(['b', 'c', 'd', 'e'])
  })

  it('knows true and false', async () => {
    await fill({ a: { b: true }, b: { b: false }, c: { b: null } })
    expect(await found({ b: true })).toEqual(['a'])
    expect(await found({ b: false })).toEqual(['b'])
    expect(await found({ b: { $ne: true } })).toEqual(['b', 'c'])
    expect(await found({ b: { $in: [true, null] } })).toEqual(['a', 'c'])
  })

  it('finds lists that hold all of some scalars, and only lists', async () => {
    await fill({
      a: { t: ['x', 'y'] },
      b: { t: ['y'] },
      c: { t: 'y' },
      d: { t: { k: 'y' } },
      e: {},
    })
    expect(await found({ t: { $all: ['y'] } })).toEqual(['a', 'b'])
    expect(await found({ t: { $all: ['y', 'x'] } })).toEqual(['a'])
    expect(await found({ t: { $all: ['z'] } })).toEqual([])
    expect(await found({ t: { $all: [] } })).toEqual([])
  })

  it('takes one alternative of $or, nested too, along with the other members', async () => {
    await fill({
      a: { n: 1, s: 'x' },
      b: { n: 2, s: 'x' },
      c: { n: 3, s: 'x' },
      d: { n: 1, s: 'y' },
    })
    expect(await found({ $or: [{ n: 1 }, { n: { $gt: 2 } }] })).toEqual(['a', 'c', 'd'])
    expect(await found({ s: 'x', $or: [{ n: 1 }, { n: 2 }] })).toEqual(['a', 'b'])
    expect(await found({ $or: [{ s: 'y' }, { s: 'x', $or: [{ n: 2 }, { n: 3 }] }] })).toEqual([
      'b',
      'c',
      'd',
    ])
    expect(await found({ $or: [{}] })).toEqual(['a', 'b', 'c', 'd'])
    expect(await found({ $or: [] })).toEqual([])
  })

  it('reaches into members by dotted paths, hidden ones too', async () => {
    await fill({ a: { o: { p: { q: 1 } } }, b: { o: { p: null } }, c: { o: 'x' } })
    expect(await found({ 'o.p.q': 1 })).toEqual(['a'])
    expect(await found({ 'o.p': null })).toEqual(['b', 'c'])
    expect(await found({ 'o.p.q': { $exists: false } })).toEqual(['b', 'c'])
    await use()[hiding].insert(thing('r', { claim: { token: 't' }, due_at: '1' }))
    await use()[hiding].insert(thing('s', { claim: null, due_at: '2' }))
    const claimed = await use()[hiding].find({ 'claim.token': 't', due_at: { $lte: '1' } })
    expect(ids(claimed)).toEqual(['r'])
    expect(await use()[hiding].count({ claim: { $ne: null } })).toBe(1)
    expect(await use()[hiding].count({ claim: { $exists: true } })).toBe(2)
  })

  it('keeps apart what a caller wrote and what the store reads', async () => {
    await fill({ a: { s: "x' OR 1=1 --" }, b: { s: '$ne' }, c: { s: '$.id' }, d: { s: 'x\0y' } })
    for (const [id, s] of [
      ['a', "x' OR 1=1 --"],
      ['b', '$ne'],
      ['c', '$.id'],
      ['d', 'x\0y'],
    ]) {
      expect(await found({ s })).toEqual([id])
      expect(await found({ s: { $in: [s ?? ''] } })).toEqual([id])
    }
  })

  it('that is no filter is our mistake and never widens the match', async () => {
    await fill({ a: { s: 'x' } })
    const mistakes: object[] = [
      { s: undefined },
      { s: { $ne: undefined } },
      { s: {} },
      { s: ['x'] },
      { s: { t: 'x' } },
      { s: { $regex: 'x' } },
      { s: { $in: 'x' } },
      { s: { $exists: 1 } },
      { $or: undefined },
      { $or: { s: 'x' } },
      { $where: 'true' },
      { "s') OR ('1": 'x' },
      { '__proto__.s': 'x' },
    ]
    for (const mistake of mistakes) {
      await expect(use()[plain].find(mistake)).rejects.toBeInstanceOf(TypeError)
      await expect(use()[plain].delete(mistake)).rejects.toBeInstanceOf(TypeError)
      const update = use()[plain].update(mistake, { $set: { s: 'y' } })
      await expect(update).rejects.toBeInstanceOf(TypeError)
    }
    expect(await use()[plain].get('a')).toEqual(thing('a', { s: 'x' }))
  })

  it('sorts up and down, null and missing first, with ties by id in the last direction', async () => {
    await fill({ a: { n: 2 }, b: { n: 1 }, c: { n: 2 }, d: { n: null }, e: {}, f: { n: 10 } })
    const order = async (sort: object, limit?: number): Promise<string> =>
      ids(await use()[plain].find({}, { sort, limit })).join('')
    expect(await order({ n: 1 })).toBe('debacf')
    expect(await order({ n: -1 })).toBe('fcabed')
    expect(await order({ n: -1 }, 2)).toBe('fc')
    expect(await order({ id: -1 })).toBe('fedcba')
    expect(await order({ n: 1 }, 0)).toBe('')
    expect(await order({ n: 1 }, 100)).toBe('debacf')
    await use()[plain].update({ id: 'a' }, { $set: { s: 'x' } })
    expect(await order({ s: 1, n: -1 })).toBe('fcbeda')
    expect(await order({ s: -1, n: 1 })).toBe('adebcf')
  })

  it('gives more than one batch of matches', async () => {
    const many = Array.from({ length: 1_203 }, (_, n) => thing(`m${String(n).padStart(4, '0')}`))
    for (let at = 0; at < many.length; at += 200) {
      await use().commit(many.slice(at, at + 200).map((insert) => ({ in: plain, insert })))
    }
    const all = await use()[plain].find({}, { sort: { id: 1 } })
    expect(ids(all)).toEqual(ids(many))
    expect(ids(await use()[plain].text({}, { sort: { id: 1 }, limit: 1_100 }))).toEqual(
      ids(many.slice(0, 1_100)),
    )
  })

  it('finds, counts, sorts and limits as a few lines of plain code do', async () => {
    const documents = fc.array(anyThing, { minLength: 1, maxLength: 12 })
    const questions = fc.array(fc.tuple(anyFilter, anySort, fc.integer({ min: 0, max: 12 })), {
      minLength: 10,
      maxLength: 10,
    })
    const property = fc.asyncProperty(documents, questions, async (members, asked) => {
      const all = members.map((one, n) => thing(`t${n}`, one))
      await use()[hiding].delete({})
      await use().commit(all.map((insert) => ({ in: hiding, insert })))
      for (const [filter, sort, limit] of asked) {
        const expected = sorted(
          all.filter((one) => matches(one, filter)),
          sort,
        )
        expect(await use()[hiding].count(filter)).toBe(expected.length)
        const some = await use()[hiding].find(filter, { sort, limit })
        expect(ids(some)).toEqual(ids(expected.slice(0, limit)))
      }
    })
    await fc.assert(property, { numRuns: 40 })
  })
})
