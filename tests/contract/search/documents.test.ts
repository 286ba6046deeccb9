import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '#src/core/text/search-query.ts'
import { find, found, makeSearchable } from './search-things.ts'
import {
  describeStores,
  hiding,
  ids,
  keyed,
  plain,
  thing,
  unique,
} from '#tests/contract/store-things.ts'

makeSearchable()

describeStores('search: words', (use, { name }) => {
  it('finds a document by words of any searched member, in any form that English gives them', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'Running agents', body: 'on a small machine' }))
    await store[plain].insert(thing('b', { title: 'Cooking', body: 'An AGENT runs the kitchen' }))
    await store[plain].insert(thing('c', { title: 'Kitchens', other: 'agent run' }))
    expect(await found(store, 'agent')).toEqual(['a', 'b'])
    expect(await found(store, 'RUN, agents!')).toEqual(['a', 'b'])
    expect(await found(store, 'kitchen')).toEqual(['b', 'c'])
    expect(await found(store, 'machines agent')).toEqual(['a'])
    expect(await found(store, 'agen')).toEqual([])
    expect(await found(store, 'nothing of this')).toEqual([])
  })

  it('wants all words, or any of them and then the most', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'x', body: 'brown bears sleep' }))
    await store[plain].insert(thing('b', { title: 'x', body: 'brown foxes jump' }))
    await store[plain].insert(thing('c', { title: 'x', body: 'grey foxes sleep' }))
    expect(await found(store, 'brown fox')).toEqual(['b'])
    expect(await found(store, 'brown fox', { mode: 'any' })).toEqual(['a', 'b', 'c'])
    const [best] = await find(store, 'brown fox whale', { mode: 'any' })
    expect(best?.id).toBe('b')
    expect(best?.matched.toSorted()).toEqual(['brown', 'fox'])
    const others = (await find(store, 'brown fox', { mode: 'any' })).slice(1)
    expect(others.map(({ id, matched }) => `${id} ${matched.join()}`).toSorted()).toEqual([
      'a brown',
      'c fox',
    ])
    expect(await found(store, 'brown fox whale')).toEqual([])
  })

  it('wants the words of a phrase side by side, in one member', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'agent card', body: 'signed' }))
    await store[plain].insert(thing('b', { title: 'card', body: 'of an agent, card less' }))
    await store[plain].insert(thing('c', { title: 'the agent', body: 'card games of agents' }))
    await store[plain].insert(thing('d', { title: 'x', body: 'two agent-cards, signed' }))
    expect(await found(store, '"agent card"')).toEqual(['a', 'b', 'd'])
    expect(await found(store, '"card agent"')).toEqual([])
    expect(await found(store, '"agent card" signed')).toEqual(['a', 'd'])
    expect(await found(store, '"agent card" signed games', { mode: 'any' })).toEqual([
      'a',
      'b',
      'd',
    ])
    const [hit] = await find(store, 'signed “two agent”')
    expect(hit?.matched.toSorted()).toEqual(['signed', 'two agent'])
  })

  it('makes no difference between letters in other forms', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'Überraschung', body: 'ПРИВЕТ мир' }))
    await store[plain].insert(thing('b', { title: 'naïve', body: 'API 2026 v2' }))
    expect(await found(store, 'ÜBERRASCHUNG')).toEqual(['a'])
    expect(await found(store, 'Überraschung'.normalize('NFD'))).toEqual(['a'])
    expect(await found(store, 'привет МИР')).toEqual(['a'])
    expect(await found(store, 'ａｐｉ ２０２６ V2')).toEqual(['b'])
  })

  it.skipIf(name === 'mongodb')(
    'makes no difference between letters with diacritics and without',
    async () => {
      // MongoDB's own text index folds them too; a separate engine may not.
      const store = use()
      await store[plain].insert(thing('a', { title: 'Crème brûlée' }))
      await store[plain].insert(thing('b', { title: 'creme' }))
      expect(await found(store, 'creme')).toEqual(['a', 'b'])
      expect(await found(store, 'CRÈME')).toEqual(['a', 'b'])
    },
  )

  it('gives the wire text, and the best first: heavier members, then what is rarer, then the newest', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'other', body: 'a whale in the sea' }))
    await store[plain].insert(thing('b', { title: 'whale', body: 'something' }))
    await store[plain].insert(thing('c', { title: 'thing', body: 'a whale in the sea' }))
    const hits = await find(store, 'whale')
    expect(ids(hits)).toEqual(['b', 'c', 'a'])
    expect(JSON.parse(hits[0]?.text ?? '')).toEqual({ id: 'b', title: 'whale', body: 'something' })
    const scores = hits.map(({ score }) => score)
    const textless = await find(store, 'whale', { textless: true })
    expect(textless).toEqual(hits.map((hit) => ({ ...hit, text: '' })))
    expect(scores).toEqual(scores.toSorted((x, y) => y - x))
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0)
    expect(ids(await find(store, 'whale', { limit: 2 }))).toEqual(['b', 'c'])
    expect(await find(store, 'whale', { limit: 0 })).toEqual([])
  })

  it('sorts out by a filter, and fills the number that was asked for all the same', async () => {
    const store = use()
    for (let n = 0; n < 30; n += 1) {
      await store[plain].insert(thing(`n${n + 10}`, { title: 'whale', body: 'x', n }))
    }
    const options = { filter: { n: { $lt: 5 } }, limit: 3 }
    expect(ids(await find(store, 'whale', options))).toEqual(['n14', 'n13', 'n12'])
    const either = { filter: { $or: [{ n: 1 }, { id: 'n20' }] } }
    expect(await found(store, 'whale', either)).toEqual(['n11', 'n20'])
  })

  it('follows every write at once, and the whole of a commit or nothing of it', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'whale' }))
    await store[plain].update({ id: 'a' }, { $set: { title: 'dolphin' } })
    expect(await found(store, 'whale')).toEqual([])
    expect(await found(store, 'dolphin')).toEqual(['a'])
    await store.commit([
      { in: plain, update: { id: 'a' }, replace: thing('a', { body: 'octopus' }) },
      { in: plain, insert: thing('b', { body: 'octopus' }) },
    ])
    expect(await found(store, 'dolphin')).toEqual([])
    expect(await found(store, 'octopus')).toEqual(['a', 'b'])
    const failing = store.commit([
      { in: plain, insert: thing('c', { body: 'octopus' }) },
      { in: plain, update: { id: 'a' }, change: { $set: { body: 'squid' } } },
      { in: plain, update: { id: 'missing' }, change: { $set: { body: 'squid' } } },
    ])
    await expect(failing).rejects.toThrow()
    expect(await found(store, 'octopus')).toEqual(['a', 'b'])
    await store[plain].update({ id: 'b' }, { $unset: { body: true } })
    expect(await found(store, 'octopus')).toEqual(['a'])
    await store[plain].delete({})
    expect(await found(store, 'octopus')).toEqual([])
  })

  it('finds documents without the members, and of other forms, by what they have', async () => {
    const store = use()
    await store[plain].insert(thing('a', {}))
    await store[plain].insert(thing('b', { title: null, body: 'whale' }))
    await store[plain].insert(thing('c', { title: 'whale', language: 'klingon', tags: 'none' }))
    expect(await found(store, 'whale')).toEqual(['b', 'c'])
  })
})

describeStores('search: marks', (use) => {
  it('leave out what holds any of some texts, however much that is', async () => {
    const store = use()
    const titles = { title: 'A whale in the sea' }
    for (const [id, board] of [
      ['a', 'ask'],
      ['b', 'meta'],
      ['c', 'ask'],
    ] as const) {
      await store[plain].insert(thing(id, { ...titles, board, tags: [`of-${id}`, 'all'] }))
    }
    for (let n = 0; n < 700; n += 100) {
      const many = Array.from({ length: 100 }, (_, i) =>
        thing(`x${n + i}`, { title: 'Whale sea', board: 'ask', tags: [i % 2 ? 'odd' : 'even'] }),
      )
      await store.commit(many.map((insert) => ({ in: plain, insert })))
    }
    const without = { tags: ['odd', 'even', 'Of-a', 'none'] }
    for (const text of ['whale', '"whale in the sea"', 'sea whale', 'whale missing']) {
      const mode = text.endsWith('missing') ? 'any' : 'all'
      const marks = { board: 'ask' }
      expect(await found(store, text, { mode, without }), text).toEqual(['a', 'b', 'c'])
      expect(await found(store, text, { mode, without, marks }), text).toEqual(['a', 'c'])
      const more = { tags: [...without.tags, 'of-a'] }
      expect(await found(store, text, { mode, without: more, marks }), text).toEqual(['c'])
      expect(
        await found(store, text, { mode, without: { tags: ['all', 'odd'] }, limit: 3 }),
        text,
      ).toHaveLength(text.startsWith('"') ? 0 : 3)
    }
    expect(await find(store, 'whale', { without: {} })).toEqual(await find(store, 'whale'))
    expect(await find(store, 'whale', { without: { tags: [] } })).toEqual(
      await find(store, 'whale'),
    )
  })

  it('narrows by exact values, of a text and in a list', async () => {
    const store = use()
    const author = { handle: 'ada' }
    await store[plain].insert(
      thing('a', { title: 'whale', board: 'ask', tags: ['x', 'sea'], author }),
    )
    await store[plain].insert(thing('b', { title: 'whale', board: 'ask', tags: ['sea-side'] }))
    await store[plain].insert(thing('c', { title: 'whale', board: 'meta', tags: [], author }))
    expect(await found(store, 'whale', { marks: { board: 'ask' } })).toEqual(['a', 'b'])
    expect(await found(store, 'whale', { marks: { tags: 'sea' } })).toEqual(['a'])
    expect(await found(store, 'whale', { marks: { 'author.handle': 'ada' } })).toEqual(['a', 'c'])
    const both = { 'author.handle': 'ada', board: 'meta' }
    expect(await found(store, 'whale', { marks: both })).toEqual(['c'])
    expect(await found(store, 'ask')).toEqual([])
    await store[plain].update({ id: 'b' }, { $set: { board: 'meta' } })
    await store[plain].update({ id: 'b' }, { $push: { tags: 'sea' } })
    expect(await found(store, 'whale', { marks: { board: 'ask' } })).toEqual(['a'])
    expect(await found(store, 'whale', { marks: { tags: 'sea' } })).toEqual(['a', 'b'])
  })

  it('tells values apart by every character', async () => {
    const store = use()
    const values = [
      'Sea',
      'sea',
      'séa',
      'sea ',
      'se a',
      'seas',
      '"',
      "'",
      '*',
      '',
      '0',
      '00',
      'x0x',
      'sea"0',
      'NOT sea',
      '日本',
      'é',
      'é'.normalize('NFD'),
      'running',
      'run',
      'a'.repeat(300),
      '\0',
    ]
    for (const [n, board] of values.entries()) {
      await store[plain].insert(thing(`n${n}`, { title: 'whale', board, tags: [board] }))
    }
    for (const [n, value] of values.entries()) {
      expect(await found(store, 'whale', { marks: { board: value } }), value).toEqual([`n${n}`])
      expect(await found(store, 'whale', { marks: { tags: value } }), value).toEqual([`n${n}`])
    }
    expect(await found(store, 'whale', { marks: { board: '\ud800' } })).toEqual([])
  })

  it('refuses a mark that the collection does not have, and a collection that is not searched', async () => {
    const store = use()
    await expect(find(store, 'whale', { marks: { title: 'x' } })).rejects.toThrow(TypeError)
    const missing = { board: undefined } as unknown as Record<string, string>
    await expect(find(store, 'whale', { marks: missing })).rejects.toThrow(TypeError)
    await expect(find(store, 'whale', { without: { title: ['x'] } })).rejects.toThrow(TypeError)
    const query = parseQuery('whale')
    await expect(store.search(unique, query, { limit: 1 })).rejects.toThrow(TypeError)
  })
})

describeStores('search: what is hidden', (use) => {
  it('finds only what is switched on, from the moment that it is', async () => {
    const store = use()
    const within = { in: hiding } as const
    await store[hiding].insert(thing('a', { output: 'whale', open: true, family: 'f1' }))
    await store[hiding].insert(thing('b', { output: 'whale', open: false }))
    await store[hiding].insert(thing('c', { output: 'whale' }))
    expect(await found(store, 'whale', within)).toEqual(['a'])
    await store[hiding].update({ id: 'b' }, { $set: { open: true, output: 'whales' } })
    expect(await found(store, 'whale', within)).toEqual(['a', 'b'])
    await store[hiding].update({ id: 'a' }, { $set: { open: false } })
    await store[hiding].update({ id: 'c' }, { $set: { claim: 'whale' } })
    expect(await found(store, 'whale', within)).toEqual(['b'])
    await store[hiding].update({ id: 'a' }, { $set: { open: true } })
    expect(await found(store, 'whale', { ...within, marks: { family: 'f1' } })).toEqual(['a'])
    await store[hiding].update({ id: 'a' }, { $unset: { open: true } })
    await store[hiding].delete({ id: 'b' })
    expect(await found(store, 'whale', within)).toEqual([])
  })

  it('finds by hidden words and never shows them', async () => {
    const store = use()
    await store[hiding].insert(thing('a', { output: 'sea', claim: 'whale', open: true }))
    const [hit] = await find(store, 'whale', { in: hiding, filter: { claim: 'whale' } })
    expect(JSON.parse(hit?.text ?? '')).toEqual({ id: 'a', output: 'sea' })
    await store[keyed].insert(thing('k', { name: 'whale', owner_id: 'o' }))
    const [other] = await find(store, 'whale', { in: keyed })
    expect(other?.id).toBe('k')
    expect(JSON.parse(other?.text ?? '')).toEqual({ name: 'whale' })
  })
})

describeStores('search: arbitrary input', (use) => {
  it('takes any query, and any text that is written, without an error', async () => {
    const store = use()
    await store[plain].insert(thing('a', { title: 'whale', body: 'sea' }))
    const odd = [
      '',
      ' ',
      '"',
      '""',
      '"""',
      '*',
      'a*',
      '^a',
      '-whale',
      'whale AND',
      'NOT',
      'NEAR(whale sea, 2)',
      'title:whale',
      '{w0} : whale',
      '(whale',
      "whale' OR 1=1 --",
      'w0:whale',
      '\\',
      '\0',
      '\ud800',
      '$where',
      '!!',
      '🐋',
      '𝕨hale',
      'ﬁ',
      '的',
      '"whale',
      'whale"sea',
      '_',
      '__',
      'a'.repeat(5_000),
      '"a" '.repeat(500),
    ]
    for (const text of odd) {
      for (const mode of ['all', 'any'] as const) {
        expect(await find(store, text, { mode }), text).toBeInstanceOf(Array)
      }
    }
    expect(await found(store, 'NEAR(whale sea, 2)', { mode: 'any' })).toEqual(['a'])
    expect(await found(store, '-whale')).toEqual(['a'])
    expect(await found(store, 'title:whale')).toEqual([])
    expect(await found(store, '!?')).toEqual([])
  })

  it('finds a text by itself', async () => {
    const store = use()
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '"',
        ' ',
        '*',
        ' AND ',
        ' OR ',
        ' NOT ',
        'NEAR(',
        ')',
        ':',
        '^',
        '-',
        '{',
        '}',
        '“',
        '\\',
        "'",
      ),
      fc.stringMatching(/^[a-z]{1,8}$/),
    )
    const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('all', 'any'), async (text, mode) => {
        await store[plain].delete({})
        await store[plain].insert(thing('a', { body: `wombat ${text.normalize('NFC')}` }))
        expect(await find(store, text, { mode })).toBeInstanceOf(Array)
        // Letters that compose to others on the way are found by those only.
        if (/[^ -~]/.test(text)) return
        expect(await found(store, `${text.replaceAll('"', ' ')} wombat`, { mode })).toEqual(['a'])
      }),
      { numRuns: 100 },
    )
  })
})

describe('what a caller types', () => {
  it('is parted into words and phrases, with everything else left out', () => {
    expect(parseQuery('The Quick (brown) "fox jumps" over:it')).toEqual({
      words: ['quick', 'brown'],
      phrases: [['fox', 'jumps']],
      mode: 'all',
    })
    expect(parseQuery('"one" “two three” snake_case x-y', 'any')).toEqual({
      words: ['one', 'snake_case', 'x', 'y'],
      phrases: [['two', 'three']],
      mode: 'any',
    })
    expect(parseQuery('how to').words).toEqual(['how', 'to'])
    expect(parseQuery('agent agent "open end').words).toEqual(['agent', 'open', 'end'])
    expect(parseQuery('... "" \'')).toEqual({ words: [], phrases: [], mode: 'all' })
  })

  it('has at most sixteen words', () => {
    const many = Array.from({ length: 40 }, (_, n) => `w${n}`).join(' ')
    expect(parseQuery(many).words).toHaveLength(16)
    expect(parseQuery(`"${many}"`).phrases[0]).toHaveLength(16)
    const mixed = parseQuery(`${many} "a b c" "${many}"`)
    expect(mixed.words.length + mixed.phrases.flat().length).toBe(16)
  })
})
