import { expect, it } from 'vitest'
import { DuplicateKey, Unavailable } from '#src/ports/store.ts'
import { describeStores, hiding, ids, keyed, plain, thing, things, unique } from './store-things.ts'

describeStores('a collection', (use, kind) => {
  it('gives a document as it was inserted, and undefined for an unknown id', async () => {
    const document = thing('a', { from: 'x', deep: { list: [1, null, { b: true }] }, none: null })
    await use()[plain].insert(document)
    expect(await use()[plain].get('a')).toEqual(document)
    expect(await use()[plain].get('b')).toBeUndefined()
  })

  it('gives a new object on every read', async () => {
    await use()[plain].insert(thing('a', { deep: { n: 1 } }))
    const first = await use()[plain].get('a')
    Object.assign(first ?? {}, { deep: 'changed' })
    expect(await use()[plain].get('a')).toEqual(thing('a', { deep: { n: 1 } }))
  })

  it('keeps nothing of a member that is undefined', async () => {
    await use()[plain].insert(thing('a', { gone: undefined, deep: { gone: undefined, n: 1 } }))
    expect(Object.keys((await use()[plain].get('a')) ?? {})).toEqual(['id', 'deep'])
    expect((await use()[plain].text({ id: 'a' }))[0]?.text).toBe('{"id":"a","deep":{"n":1}}')
  })

  it('is read together with others, each read as it would be by itself', async () => {
    await use()[plain].insert(thing('a', { n: 1 }))
    await use()[plain].insert(thing('b', { n: 2 }))
    await use()[hiding].insert(thing('r', { status: 'queued', due_at: '1' }))
    const sort = { n: -1 } as const
    const reads = [
      { in: plain, filter: {}, options: { sort, limit: 1 } },
      { in: hiding, filter: { due_at: '1' } },
      { in: plain, filter: { n: 3 } },
    ]
    expect(await use().texts(reads as never)).toEqual([
      await use()[plain].text({}, { sort, limit: 1 }),
      await use()[hiding].text({ due_at: '1' }),
      [],
    ])
    expect(await use().texts([])).toEqual([])
  })

  it('refuses a second document with the same id, and keeps the first', async () => {
    await use()[plain].insert(thing('a', { n: 1 }))
    const again = use()[plain].insert(thing('a', { n: 2 }))
    await expect(again).rejects.toBeInstanceOf(DuplicateKey)
    await expect(again).rejects.toMatchObject({ in: plain, paths: ['id'] })
    expect(await use()[plain].get('a')).toEqual(thing('a', { n: 1 }))
  })

  it('refuses a second value of a unique index and names its paths', async () => {
    await use()[unique].insert(thing('a', { token_hash: 't1', code_hash: 'c1' }))
    const again = use()[unique].insert(thing('b', { token_hash: 't2', code_hash: 'c1' }))
    await expect(again).rejects.toMatchObject({
      name: 'DuplicateKey',
      in: unique,
      paths: ['code_hash'],
    })
    const change = use()[unique].update({ id: 'a' }, { $set: { token_hash: 't1' } })
    await expect(change).resolves.toMatchObject({ id: 'a' })
    await use()[unique].insert(thing('c', { token_hash: 't3', code_hash: 'c3' }))
    const taken = use()[unique].update({ id: 'c' }, { $set: { token_hash: 't1' } })
    await expect(taken).rejects.toMatchObject({ in: unique, paths: ['token_hash'] })
    expect(await use()[unique].get('c')).toMatchObject({ token_hash: 't3' })
    expect(await use()[unique].count({})).toBe(2)
  })

  it('leaves documents out of a unique index where the value is null or missing', async () => {
    await use()[unique].insert(thing('a', { token_hash: 't1', code_hash: null }))
    await use()[unique].insert(thing('b', { token_hash: null, code_hash: null }))
    await use()[unique].insert(thing('c', { token_hash: null }))
    await use()[unique].insert(thing('d'))
    expect(ids(await use()[unique].find({ code_hash: null }, { sort: { id: 1 } }))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
  })

  it('admits a unique value again once its holder has given it up', async () => {
    await use()[unique].insert(thing('a', { token_hash: 't1' }))
    await use()[unique].update({ id: 'a' }, { $set: { token_hash: null } })
    await use()[unique].insert(thing('b', { token_hash: 't1' }))
    await use()[unique].delete({ id: 'b' })
    await use()[unique].insert(thing('c', { token_hash: 't1' }))
    expect(await use()[unique].count({ token_hash: 't1' })).toBe(1)
  })

  it('deletes every match, tells how many, and leaves the others', async () => {
    for (const id of ['a', 'b', 'c']) {
      await use()[plain].insert(thing(id, { from: id > 'a' ? 1 : 2 }))
    }
    expect(await use()[plain].delete({ from: 1 })).toBe(2)
    expect(await use()[plain].delete({ from: 1 })).toBe(0)
    expect(await use()[plain].delete({ id: 'a' })).toBe(1)
    expect(await use()[plain].count({})).toBe(0)
  })

  it('counts the matches', async () => {
    for (const id of ['a', 'b', 'c']) await use()[plain].insert(thing(id, { to: id > 'a' ? 1 : 2 }))
    expect(await use()[plain].count({})).toBe(3)
    expect(await use()[plain].count({ to: 1 })).toBe(2)
    expect(await use()[plain].count({ to: 3 })).toBe(0)
    expect(await use()[plain].count({}, 2)).toBe(2)
    expect(await use()[plain].count({ to: 1 }, 1)).toBe(1)
    expect(await use()[plain].count({ to: 1 }, 9)).toBe(2)
  })

  it('gives texts in order, with the members in their order, and no more than the limit', async () => {
    await use()[plain].insert({ id: 'a', z: 1, created_at: '2', 'b c': { y: [1, 'é'], a: 2 } })
    await use()[plain].insert({ id: 'b', created_at: '1', a: null })
    await use()[plain].insert({ id: 'c', created_at: '3' })
    const rows = await use()[plain].text({}, { sort: { created_at: 1 }, limit: 2 })
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { id: 'b', text: '{"id":"b","created_at":"1","a":null}' },
      { id: 'a', text: '{"id":"a","z":1,"created_at":"2","b c":{"y":[1,"é"],"a":2}}' },
    ])
  })

  it('gives texts until they are as long as they may be together, and two of those that are longer', async () => {
    const long = 'x'.repeat(100_000)
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await use()[plain].insert({ id, created_at: '1', text: id < 'c' ? 'short' : long })
    }
    const read = async (charactersAtMost: number): Promise<string> => {
      const options = { sort: { id: 1 }, limit: 5, charactersAtMost } as const
      const rows = await use()[plain].text({}, options)
      for (const { text } of rows) expect(Object.keys(JSON.parse(text))).toHaveLength(3)
      return rows.map(({ id }) => id).join('')
    }
    expect(await read(1_000_000)).toBe('abcde')
    expect(await read(150_000)).toBe('abcd')
    expect(await read(90_000)).toBe('abc')
    expect(await read(1)).toBe('ab')
    const last = { sort: { id: -1 }, limit: 5, charactersAtMost: 1 } as const
    expect((await use()[plain].text({}, last)).map(({ id }) => id)).toEqual(['e', 'd'])
  })

  it('gives documents until they are as long as they may be together, as whole as ever', async () => {
    const long = 'x'.repeat(100_000)
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      const isLarge = id === 'b' || id === 'd'
      const claim = { token: id === 'e' ? long : 't' }
      await use()[hiding].insert(thing(id, { status: 's', claim, output: isLarge ? long : 'o' }))
    }
    const read = async (charactersAtMost: number): Promise<string> => {
      const found = await use()[hiding].find({}, { sort: { id: 1 }, limit: 5, charactersAtMost })
      for (const one of found) expect(one).toEqual(await use()[hiding].get(one.id))
      return found.map(({ id }) => id).join('')
    }
    expect(await read(1_000_000)).toBe('abcde')
    expect(await read(250_000)).toBe('abcde')
    expect(await read(150_000)).toBe('abcd')
    expect(await read(90_000)).toBe('ab')
    expect(await read(1)).toBe('ab')
  })

  it('hides the hidden members from the text and gives them in the document', async () => {
    const run = thing('r', { status: 'queued', due_at: '2026', claim: { token: 't' }, output: 'o' })
    await use()[hiding].insert(run)
    expect(await use()[hiding].get('r')).toEqual(run)
    expect(await use()[hiding].find({ status: 'queued' })).toEqual([run])
    const [row] = await use()[hiding].text({ due_at: '2026', 'claim.token': 't' })
    expect({ ...row }).toEqual({ id: 'r', text: '{"id":"r","status":"queued","output":"o"}' })
  })

  it('hides an id, which the row and the document have all the same', async () => {
    await use()[keyed].insert({ id: 'k1', task_id: 't', owner_id: 'o', order: 1 })
    expect(await use()[keyed].get('k1')).toEqual({
      id: 'k1',
      task_id: 't',
      owner_id: 'o',
      order: 1,
    })
    const [row] = await use()[keyed].text({ owner_id: 'o', id: { $in: ['k1', 'k2'] } })
    expect({ ...row }).toEqual({ id: 'k1', text: '{"task_id":"t","order":1}' })
    const updated = await use()[keyed].update({ id: 'k1' }, { $set: { order: 2 } })
    expect(updated).toEqual({ id: 'k1', task_id: 't', owner_id: 'o', order: 2 })
  })

  it('reads what was just written, among concurrent writes', async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    await Promise.all(
      numbers.map(async (n) => {
        await use()[plain].insert(thing(`m${n}`, { n }))
        expect(await use()[plain].get(`m${n}`)).toEqual(thing(`m${n}`, { n }))
      }),
    )
    expect(await use()[plain].count({})).toBe(200)
  })

  it('gives an insert of one id to one of many that try at once', async () => {
    const tries = Array.from({ length: 24 }, (_, n) => use()[plain].insert(thing('one', { n })))
    const outcomes = await Promise.allSettled(tries)
    const kept = outcomes.flatMap((one, n) => (one.status === 'fulfilled' ? [n] : []))
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(kept).toHaveLength(1)
    expect(await use()[plain].get('one')).toEqual(thing('one', { n: kept[0] }))
    expect(reasons).toHaveLength(23)
    for (const reason of reasons) expect(reason).toBeInstanceOf(DuplicateKey)
  })

  it('is healthy while it is open; closed, it is not, and everything else is unavailable', async () => {
    const store = things(await kind.open())
    expect(await store.isHealthy()).toBe(true)
    const late = store[plain].insert(thing('a'))
    await Promise.all([store.close(), store.close()])
    await late
    expect(await store.isHealthy()).toBe(false)
    const tries = [
      () => store[plain].get('a'),
      () => store[plain].find({}),
      () => store[plain].count({}),
      () => store[plain].text({}),
      () => store[plain].insert(thing('b')),
      () => store[plain].update({ id: 'a' }, { $set: { n: 1 } }),
      () => store[plain].delete({}),
      () => store.commit([{ in: plain, insert: thing('c') }]),
    ]
    for (const one of tries) {
      await expect(one()).rejects.toBeInstanceOf(Unavailable)
      await expect(one()).rejects.toMatchObject({ outcomeUnknown: false })
    }
  })
})
