import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mostKept, mostRanked } from '#adapters/store/sqlite/search/rank.ts'
import { openStore } from '#adapters/store/open.ts'
import { find, makeSearchable } from './search-things.ts'
import { plain, thing, type Things, things } from '#tests/contract/store-things.ts'

makeSearchable()

/** The first is in every document, the last in few. */
const vocabulary = ['sea', 'tide', 'harbour', 'gull', 'rope', 'lantern', 'fog', 'pilot', 'buoy']
const atOnce = 50

describe.each([mostRanked - 20, mostKept + 150])(
  'a search of %i documents that marks narrow',
  (documents) => {
    let folder: string
    let store: Things
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'abode-narrowed-'))
      store = things(await openStore({ folder }))
      const wordsOf = (n: number, seed: number): string =>
        vocabulary.filter((_, i) => (n * seed) % (i * i + 1) === 0).join(' ')
      const all = Array.from({ length: documents }, (_, n) =>
        thing(`t${String(n).padStart(4, '0')}`, {
          // No title holds the first word, and few hold any.
          title: n % 9 === 0 ? wordsOf(n, 3).replace('sea', '') : 'x',
          body: wordsOf(n, 7),
          board: 'ask',
        }),
      )
      for (let n = 0; n < all.length; n += atOnce) {
        await store.commit(all.slice(n, n + atOnce).map((insert) => ({ in: plain, insert })))
      }
    })
    afterAll(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })

    const word = fc.constantFrom(...vocabulary, 'whale')
    const phrase = fc.tuple(word, word).map((two) => `"${two.join(' ')}"`)
    const pieces = fc.array(fc.oneof({ weight: 4, arbitrary: word }, phrase), {
      minLength: 1,
      maxLength: 5,
    })

    it('finds what one without marks does, with the same scores, where all documents bear the mark', async () => {
      await fc.assert(
        fc.asyncProperty(pieces, fc.constantFrom('all', 'any'), async (some, mode) => {
          const text = some.join(' ')
          const narrowed = await find(store, text, { mode, marks: { board: 'ask' } })
          const wide = await find(store, text, { mode })
          // Of more, each ranks some: the newest without marks, and all that it can keep with them.
          if (documents <= mostRanked) expect(narrowed).toEqual(wide)
          const scores = new Map(wide.map((hit) => [hit.id, hit]))
          for (const hit of narrowed) expect(hit).toEqual(scores.get(hit.id) ?? hit)
          expect(narrowed.length).toBe(wide.length)
          expect(await find(store, text, { mode, marks: { board: 'other' } })).toEqual([])
        }),
        { numRuns: 80 },
      )
    })
  },
)
