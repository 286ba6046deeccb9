import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stores, type Place } from '#tests/support/stores.ts'
import { find, makeSearchable } from './search-things.ts'
import { plain, thing, things, type Things } from '#tests/contract/store-things.ts'

makeSearchable()

const kinds = stores()
const words = 'tide ferry harbour lantern signal ledger anchor compass rope sail'.split(' ')

/** A number that looks random, always the same of the same seed. */
function drawn(seed: number): number {
  const wave = Math.sin(seed) * 10_000
  return wave - Math.floor(wave)
}

/** Words of which some are far rarer than others. */
function text(seed: number, length: number): string {
  return Array.from({ length }, (_, i) => {
    const rank = Math.floor(drawn(seed * 31 + i) ** 2 * words.length)
    // Words between them, so that some stand close and some do not.
    const apart = 'and so on '.repeat(Math.floor(drawn(seed * 17 + i) * 5))
    return `${apart}${words[rank]}`
  }).join(' ')
}

describe.skipIf(kinds.length < 2)('search: the rank of the same documents', () => {
  const opened: Things[] = []
  const places: Place[] = []
  beforeAll(async () => {
    for (const kind of kinds) {
      // One whose tables are made with what is searchable here.
      const place = await kind.newPlace()
      places.push(place)
      const all = things(await place.open())
      opened.push(all)
      const documents = Array.from({ length: 120 }, (_, n) =>
        thing(`d${String(n).padStart(3, '0')}`, { title: text(n, 2), body: text(n + 500, 6) }),
      )
      await all.commit(documents.map((insert) => ({ in: plain, insert })))
    }
  })
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await Promise.all(places.map((place) => place.remove()))
  })

  it.each([
    ['tide', 'all'],
    ['tide ferry', 'all'],
    ['rope tide', 'all'],
    ['harbour lantern tide', 'all'],
    ['"tide ferry" harbour', 'all'],
    ['sail rope tide', 'any'],
    ['compass ferry nothing', 'any'],
    ['"tide ferry" rope sail', 'any'],
  ] as const)('is the same on every store: %s (%s)', async (query, mode) => {
    const found = await Promise.all(
      opened.map(async (store) => {
        const hits = await find(store, query, { mode, limit: 100 })
        return hits.map(({ id, score, matched }) => `${id} ${score.toFixed(6)} ${matched.join()}`)
      }),
    )
    expect(found[0]?.length).toBeGreaterThan(0)
    expect(found[1]).toEqual(found[0])
  })
})
