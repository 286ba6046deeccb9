import { setImmediate as immediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import {
  describeStores,
  hiding,
  ids,
  plain,
  thing,
  type ThingWrite,
  unique,
} from './store-things.ts'

describeStores('a commit', (use) => {
  it('does every write, in order, each seeing those before it', async () => {
    await use()[plain].insert(thing('old', { n: 1 }))
    await use()[plain].insert(thing('gone', { n: 1 }))
    await use().commit([
      { in: plain, insert: thing('a', { n: 1 }) },
      { in: plain, update: { id: 'a' }, change: { $inc: { n: 1 } } },
      { in: plain, update: { id: 'old' }, change: { $set: { n: 5 } } },
      { in: hiding, insert: thing('r', { due_at: '1' }) },
      { in: hiding, update: { id: 'r', due_at: '1' }, change: { $unset: { due_at: true } } },
      { in: plain, delete: { id: 'gone' } },
      { in: plain, insert: thing('gone', { n: 9 }) },
    ])
    expect(await use()[plain].find({}, { sort: { id: 1 } })).toEqual([
      thing('a', { n: 2 }),
      thing('gone', { n: 9 }),
      thing('old', { n: 5 }),
    ])
    expect(await use()[hiding].get('r')).toEqual(thing('r'))
  })

  it('of nothing is done at once', async () => {
    await expect(use().commit([])).resolves.toBeUndefined()
  })

  it('does none of its writes when one meets a taken id, and says where', async () => {
    await use()[plain].insert(thing('taken', { n: 1 }))
    const writes: ThingWrite[] = [
      { in: hiding, insert: thing('r') },
      { in: plain, update: { id: 'taken' }, change: { $set: { n: 2 } } },
      { in: plain, insert: thing('taken') },
      { in: plain, insert: thing('b') },
    ]
    const refused = use().commit(writes)
    await expect(refused).rejects.toBeInstanceOf(DuplicateKey)
    await expect(refused).rejects.toMatchObject({ in: plain, paths: ['id'] })
    expect(await use()[hiding].count({})).toBe(0)
    expect(await use()[plain].find({})).toEqual([thing('taken', { n: 1 })])
  })

  it('does none of its writes when one meets a unique value, by insert, change or replace', async () => {
    await use()[unique].insert(thing('a', { token_hash: 't', code_hash: 'c' }))
    await use()[unique].insert(thing('b', { token_hash: 'u', code_hash: 'd' }))
    const refused: [ThingWrite, string][] = [
      [{ in: unique, insert: thing('c', { token_hash: 't' }) }, 'token_hash'],
      [{ in: unique, update: { id: 'b' }, change: { $set: { code_hash: 'c' } } }, 'code_hash'],
      [{ in: unique, update: { id: 'b' }, replace: thing('b', { token_hash: 't' }) }, 'token_hash'],
    ]
    for (const [write, path] of refused) {
      const first: ThingWrite = { in: plain, insert: thing('first') }
      await expect(use().commit([first, write])).rejects.toMatchObject({
        in: unique,
        paths: [path],
      })
      await expect(use().commit([write])).rejects.toMatchObject({ in: unique, paths: [path] })
    }
    expect(await use()[plain].count({})).toBe(0)
    expect(await use()[unique].get('b')).toEqual(thing('b', { token_hash: 'u', code_hash: 'd' }))
  })

  it('does none of its writes when an update or a replace matches nothing, and says which', async () => {
    await use()[plain].insert(thing('a', { n: 1 }))
    const refused: ThingWrite[] = [
      { in: plain, update: { id: 'a', n: 2 }, change: { $set: { n: 3 } } },
      { in: plain, update: { id: 'no' }, change: {} },
      { in: plain, update: { id: 'a', n: 2 }, replace: thing('a', { n: 3 }) },
      { in: plain, update: { n: 1 }, replace: thing('no', { n: 3 }) },
    ]
    for (const write of refused) {
      const both = use().commit([{ in: hiding, insert: thing('r') }, write])
      await expect(both).rejects.toBeInstanceOf(Unmet)
      await expect(both).rejects.toMatchObject({ in: plain, index: 1 })
      await expect(use().commit([write])).rejects.toMatchObject({ name: 'Unmet', index: 0 })
    }
    expect(await use()[hiding].count({})).toBe(0)
    expect(await use()[plain].find({})).toEqual([thing('a', { n: 1 })])
  })

  it('takes a change of nothing for a check that the document is there', async () => {
    await use()[plain].insert(thing('a', { n: 1 }))
    await use().commit([
      { in: plain, update: { id: 'a', n: 1 }, change: {} },
      { in: hiding, insert: thing('r') },
    ])
    expect(await use()[hiding].count({})).toBe(1)
  })

  it('replaces a document whole, its hidden members too', async () => {
    await use()[hiding].insert(thing('r', { n: 1, due_at: '1', claim: { token: 't' } }))
    await use().commit([
      { in: hiding, update: { 'claim.token': 't' }, replace: thing('r', { m: 2, due_at: '2' }) },
    ])
    expect(await use()[hiding].get('r')).toEqual(thing('r', { m: 2, due_at: '2' }))
    expect((await use()[hiding].text({ due_at: '2' }))[0]?.text).toBe('{"id":"r","m":2}')
  })

  it('deletes every match, and is content with none', async () => {
    for (const id of ['a', 'b', 'c']) await use()[plain].insert(thing(id, { n: id > 'a' ? 1 : 0 }))
    await use().commit([
      { in: plain, delete: { n: 1 } },
      { in: plain, delete: { n: 7 } },
    ])
    expect(ids(await use()[plain].find({}))).toEqual(['a'])
  })

  it('lets one of many with the same id through, and keeps nothing of the others', async () => {
    const tries = Array.from({ length: 16 }, (_, n) =>
      use().commit([
        { in: plain, insert: thing(`effect${n}`) },
        { in: hiding, insert: thing('once', { n }) },
      ]),
    )
    const outcomes = await Promise.allSettled(tries)
    const through = outcomes.flatMap((one, n) => (one.status === 'fulfilled' ? [n] : []))
    expect(through).toHaveLength(1)
    expect(ids(await use()[plain].find({}))).toEqual([`effect${through[0]}`])
    expect(await use()[hiding].get('once')).toEqual(thing('once', { n: through[0] }))
  })

  it('lets one of many that read one revision through', async () => {
    await use()[hiding].insert(thing('r', { claim: { token: 't' }, n: 0 }))
    const tries = Array.from({ length: 12 }, (_, n) =>
      use().commit([
        { in: plain, insert: thing(`event${n}`) },
        {
          in: hiding,
          update: { id: 'r', 'claim.token': 't' },
          change: { $unset: { claim: true } },
        },
      ]),
    )
    const outcomes = await Promise.allSettled(tries)
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(reasons).toHaveLength(11)
    for (const reason of reasons) expect(reason).toMatchObject({ name: 'Unmet', index: 1 })
    expect(await use()[plain].count({})).toBe(1)
  })

  it('is seen whole or not at all by concurrent readers', async () => {
    await use()[plain].insert(thing('x', { n: 0 }))
    await use()[plain].insert(thing('y', { n: 0 }))
    const writer = (async () => {
      for (let n = 1; n <= 30; n += 1) {
        await use().commit([
          { in: plain, update: { id: 'x' }, change: { $inc: { n: 1 } } },
          { in: plain, update: { id: 'y' }, change: { $inc: { n: 1 } } },
        ])
      }
    })()
    const ended = writer.then(() => 'ended')
    const pairs: unknown[][] = []
    do {
      const both = await use()[plain].find({}, { sort: { id: 1 } })
      pairs.push(both.map((one) => one.n))
    } while ((await Promise.race([ended, immediate('going')])) === 'going')
    for (const [x, y] of pairs) expect(x).toBe(y)
    expect(await use()[plain].get('y')).toEqual(thing('y', { n: 30 }))
  })

  it('refuses what is no write, without doing the rest', async () => {
    const write: ThingWrite = { in: plain, update: { id: undefined }, change: {} }
    const insert: ThingWrite = { in: plain, insert: thing('a') }
    await expect(use().commit([insert, write])).rejects.toBeInstanceOf(TypeError)
    expect(await use()[plain].count({})).toBe(0)
  })
})
