import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { stem } from '#adapters/store/mongo/search/stem.ts'

it('cuts words as the stemmer of SQLite does', () => {
  const endings = `ational tional enci anci izer bli alli entli eli ousli ization ation ator alism
    iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er
    ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize e le ll logy logi s es
    ies ss eed ed ing y ly`.split(/\s+/)
  const word = fc
    .tuple(fc.stringMatching(/^[a-z]{1,7}$/), fc.constantFrom('', ...endings))
    .map((parts) => parts.join(''))
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE words USING fts5(word, tokenize='porter unicode61');
    CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'instance')`)
  const insert = database.prepare('INSERT INTO words (rowid, word) VALUES (?, ?)')
  const words = fc.sample(word, 5_000)
  for (const [row, one] of words.entries()) insert.run(row + 1, one)
  const stems = database.prepare('SELECT doc, term FROM terms').all()
  const differing = stems.filter(({ doc, term }) => stem(words[Number(doc) - 1] ?? '') !== term)
  expect(stems).toHaveLength(words.length)
  expect(differing.map(({ doc, term }) => [words[Number(doc) - 1], term])).toEqual([])
  database.close()
})
