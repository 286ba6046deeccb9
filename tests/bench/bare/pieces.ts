import Koa from 'koa'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { announce } from './announce.ts'

/** As many pieces as the product puts into one commit. */
const atOnce = 50

/**
 * Pieces of texts by hand: stored and indexed by FTS5 with the same tokenizer, and durable when they are
 * answered. Nothing is read, cut, counted or checked.
 */
const [folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'pieces.db'))
database.exec(`
  PRAGMA page_size=8192;
  PRAGMA journal_mode=WAL;
  PRAGMA synchronous=FULL;
  PRAGMA cache_size=-16384;
  CREATE TABLE pieces (id TEXT PRIMARY KEY, doc TEXT NOT NULL);
  CREATE VIRTUAL TABLE found USING fts5(text, heading, marks, content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2');
`)
const insert = database.prepare('INSERT INTO pieces VALUES (?, ?)')
const index = database.prepare('INSERT INTO found(rowid, text, heading, marks) VALUES (?, ?, ?, ?)')

interface Piece {
  id: string
  shelf: string
  edition: string
  heading: string | null
  text: string
}

function keep(pieces: readonly Piece[]): void {
  for (let from = 0; from < pieces.length; from += atOnce) {
    database.exec('BEGIN')
    for (const piece of pieces.slice(from, from + atOnce)) {
      const { lastInsertRowid } = insert.run(piece.id, JSON.stringify(piece))
      index.run(lastInsertRowid, piece.text, piece.heading, `${piece.shelf} ${piece.edition}`)
    }
    database.exec('COMMIT')
  }
}

const app = new Koa()
app.use(async (ctx) => {
  // The bench sends pieces.
  const pieces = (await json(ctx.req)) as Piece[]
  keep(pieces)
  ctx.body = { ok: true, pieces: pieces.length }
})
announce(app)
