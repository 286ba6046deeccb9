import { expect, it } from 'vitest'
import { describeStores, hiding, ids, keyed, plain, thing } from './store-things.ts'

describeStores('an update', (use, kind) => {
  const update = (change: object, filter: object = { id: 'a' }) =>
    use()[plain].update(filter, change)

  it('gives the document as it now is, and undefined when nothing matches', async () => {
    await use()[plain].insert(thing('a', { n: 1, s: 'x' }))
    expect(await update({ $set: { n: 2 } })).toEqual(thing('a', { n: 2, s: 'x' }))
    expect(await use()[plain].get('a')).toEqual(thing('a', { n: 2, s: 'x' }))
    expect(await update({ $set: { n: 3 } }, { id: 'a', s: 'y' })).toBeUndefined()
    expect(await use()[plain].get('a')).toEqual(thing('a', { n: 2, s: 'x' }))
  })

  it('sets members whole, and others at the end of a dotted path, which it makes', async () => {
    await use()[plain].insert(thing('a', { o: { p: 1, q: 2 }, gone: 1 }))
    await update({ $set: { 'o.p': { r: [1] }, 'new.deep.er': 'x', gone: null } })
    expect(await use()[plain].get('a')).toEqual(
      thing('a', { o: { p: { r: [1] }, q: 2 }, gone: null, new: { deep: { er: 'x' } } }),
    )
    await update({ $set: { o: {} } })
    expect(await use()[plain].get('a')).toMatchObject({ o: {} })
  })

  it('removes members, at any depth, and minds none that is not there', async () => {
    await use()[plain].insert(thing('a', { o: { p: 1, q: 2 }, n: null, s: 'x' }))
    await update({ $unset: { 'o.p': true, n: true, 'no.such.path': true, 's.t': true } })
    expect(await use()[plain].get('a')).toEqual(thing('a', { o: { q: 2 }, s: 'x' }))
    expect((await use()[plain].text({ id: 'a' }))[0]?.text).toBe('{"id":"a","o":{"q":2},"s":"x"}')
  })

  it('raises numbers, from nothing too', async () => {
    await use()[plain].insert(thing('a', { n: 1, o: { p: 0.5 } }))
    await update({ $inc: { n: 2, 'o.p': -1, 'o.q': 3, fresh: 1 } })
    expect(await use()[plain].get('a')).toEqual(
      thing('a', { n: 3, o: { p: -0.5, q: 3 }, fresh: 1 }),
    )
    await update({ $inc: { n: 3_000_000_000 } })
    expect(await use()[plain].get('a')).toMatchObject({ n: 3_000_000_003 })
  })

  it('appends to lists, from nothing too', async () => {
    await use()[plain].insert(thing('a', { l: [1], o: { l: [] } }))
    await update({ $push: { l: { k: 'v' }, 'o.l': null, 'o.fresh': ['x'] } })
    expect(await use()[plain].get('a')).toEqual(
      thing('a', { l: [1, { k: 'v' }], o: { l: [null], fresh: [['x']] } }),
    )
  })

  it('does several kinds of change at once, hidden members among them', async () => {
    await use()[hiding].insert(thing('r', { n: 1, due_at: '1', claim: { token: 't' }, l: [] }))
    const changed = await use()[hiding].update(
      { due_at: { $lte: '1' } },
      { $set: { 'claim.until': '9', status: 's' }, $unset: { due_at: true }, $inc: { n: 1 } },
    )
    const expected = thing('r', { n: 2, claim: { token: 't', until: '9' }, l: [], status: 's' })
    expect(changed).toEqual(expected)
    expect(await use()[hiding].get('r')).toEqual(expected)
    expect((await use()[hiding].text({}))[0]?.text).toBe('{"id":"r","n":2,"l":[],"status":"s"}')
    await use()[hiding].update({ id: 'r' }, { $unset: { claim: true } })
    await use()[hiding].update({ id: 'r' }, { $set: { n: 3 } })
    expect(await use()[hiding].get('r')).toEqual(thing('r', { n: 3, l: [], status: 's' }))
  })

  it('changes nothing for what is undefined, or for no change at all', async () => {
    await use()[plain].insert(thing('a', { n: 1, s: 'x' }))
    expect(await update({ $set: { s: undefined, n: 2 } })).toEqual(thing('a', { n: 2, s: 'x' }))
    expect(await update({ $set: {} })).toEqual(thing('a', { n: 2, s: 'x' }))
    expect(await update({})).toEqual(thing('a', { n: 2, s: 'x' }))
    expect(await update({}, { id: 'b' })).toBeUndefined()
    await use()[plain].insert(thing('b', { n: 1 }))
    expect(ids([(await use()[plain].update({}, {}, { sort: { n: 1 } })) ?? thing('')])).toEqual([
      'b',
    ])
  })

  it('that does not fit what is stored fails and changes nothing', async () => {
    const document = thing('a', { n: null, s: 'x', l: [1], o: { p: 1 } })
    await use()[plain].insert(document)
    const misfits = [
      { $set: { o: 1, 's.t': 1 } },
      { $set: { 'n.t': 1 } },
      { $inc: { s: 1 } },
      { $inc: { n: 1 } },
      { $push: { o: 1 } },
      { $push: { n: 1 } },
      { $set: { id: 'b' } },
    ]
    for (const misfit of misfits) await expect(update(misfit)).rejects.toBeInstanceOf(Error)
    for (const mistake of [{ $rename: { s: 't' } }, { $inc: { l: 'x' } }, { $set: { $s: 1 } }]) {
      await expect(update(mistake)).rejects.toBeInstanceOf(TypeError)
    }
    expect(await use()[plain].get('a')).toEqual(document)
    expect(await update({ $set: { id: 'a', s: 'y' } })).toMatchObject({ id: 'a', s: 'y' })
  })

  it('shares nothing with the change that it was given', async () => {
    await use()[plain].insert(thing('a'))
    const value = { list: [1] }
    const changed = await update({ $set: { o: value } })
    value.list.push(2)
    expect(changed).toEqual(thing('a', { o: { list: [1] } }))
    Object.assign(changed ?? {}, { o: 'mine' })
    expect(await use()[plain].get('a')).toEqual(thing('a', { o: { list: [1] } }))
  })

  it('takes the first match of a sort', async () => {
    for (const [id, n] of [
      ['a', 2],
      ['b', 1],
      ['c', 1],
      ['d', 3],
    ] as const) {
      await use()[plain].insert(thing(id, { n }))
    }
    const take = (sort: object) =>
      use()[plain].update({ taken: null }, { $set: { taken: 1 } }, { sort })
    expect(await take({ n: 1 })).toMatchObject({ id: 'b' })
    expect(await take({ n: 1 })).toMatchObject({ id: 'c' })
    expect(await take({ n: -1 })).toMatchObject({ id: 'd' })
    expect(await take({ n: -1 })).toMatchObject({ id: 'a' })
    expect(await take({ n: -1 })).toBeUndefined()
  })

  it('gives each of 20 documents to one of 36 claims made at once', async () => {
    const documents = Array.from({ length: 20 }, (_, n) => thing(`r${n}`, { due_at: `${10 + n}` }))
    await use().commit(documents.map((insert) => ({ in: hiding, insert })))
    const claims = Array.from({ length: 36 }, (_, n) =>
      use()[hiding].update(
        { due_at: { $lte: '50' } },
        { $set: { due_at: '99', claim: { by: n } } },
        { sort: { due_at: 1 } },
      ),
    )
    const claimed = (await Promise.all(claims)).flatMap((one) => (one ? [one.id] : []))
    expect(claimed.toSorted()).toEqual(ids(documents).toSorted())
  })

  it('loses no increment of many at once, though two stores share the database', async () => {
    const place = await kind.place()
    const [one, other] = [await place.open(), await place.open()]
    await one.limits.insert({ id: 'l', used: 0, ends_at: '' })
    const raise = (store: typeof one) => store.limits.update({ id: 'l' }, { $inc: { used: 1 } })
    await Promise.all(Array.from({ length: 60 }, (_, n) => raise(n % 2 ? one : other)))
    expect(await one.limits.get('l')).toMatchObject({ used: 60 })
    await Promise.all([one.close(), other.close()])
    await place.remove()
  })

  it('compares and sets: of many that read one revision, one gets through', async () => {
    await use()[keyed].insert(thing('a', { revision: 1, owner_id: 'o' }))
    const tries = Array.from({ length: 12 }, (_, n) =>
      use()[keyed].update({ id: 'a', revision: 1 }, { $set: { by: n }, $inc: { revision: 1 } }),
    )
    const through = (await Promise.all(tries)).filter((one) => one !== undefined)
    expect(through).toHaveLength(1)
    expect(await use()[keyed].get('a')).toEqual(through[0])
  })

  it('that is lazy is kept all the same', async () => {
    const place = await kind.place()
    const first = await place.open()
    const inserted = first.limits.insert({ id: 'l', used: 1, ends_at: '1' }, { lazy: true })
    await inserted
    expect(await first.limits.update({ id: 'l' }, { $inc: { used: 1 } }, { lazy: true })).toEqual({
      id: 'l',
      used: 2,
      ends_at: '1',
    })
    const last = first.limits.update({ id: 'l' }, { $inc: { used: 1 } }, { lazy: true })
    await Promise.all([last, first.close()])
    const second = await place.open()
    expect(await second.limits.get('l')).toEqual({ id: 'l', used: 3, ends_at: '1' })
    await second.close()
    await place.remove()
  })
})
