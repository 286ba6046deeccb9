import Koa from 'koa'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { markToken, searchTable } from '#adapters/store/sqlite/search/tables.ts'
import { announce } from './announce.ts'

/**
 * A search by hand: Koa over the product's own index, read by a connection of its own, ranked by FTS5
 * itself. It answers as many hits of the same texts, with none of the rules of who may see them.
 */
const [folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'abode.db'), { readOnly: true, timeout: 2000 })
database.exec('PRAGMA cache_size=-4096; PRAGMA temp_store=MEMORY')

type Hit = { rank: number; doc: string }

/** The best documents of one collection. */
function best(collection: string): (expression: string, limit: number) => Hit[] {
  const table = searchTable(collection)
  const statement = database.prepare(
    `SELECT found.rank AS rank, stored.doc AS doc FROM (SELECT rowid, rank FROM "${table}" ` +
      `WHERE "${table}" MATCH ? ORDER BY rank LIMIT ?) AS found ` +
      `JOIN "${collection}" AS stored ON stored.rowid = found.rowid ORDER BY found.rank`,
  )
  // The columns were named here, and hold what the store wrote.
  return (expression, limit) => statement.all(expression, limit) as unknown as Hit[]
}

const threads = best('commons_threads')
const replies = best('commons_replies')
const pieces = best('knowledge_chunks')
const shelf = database.prepare('SELECT doc FROM knowledge_shelves WHERE id = ?')

const terms = (q: string, between: string): string =>
  q
    .split(' ')
    .map((word) => `"${word}"`)
    .join(between)

/** What was posted has more characters than are shown of it. */
const shown = 200

function inCommons(q: string, limit: number): object[] {
  for (const between of [' AND ', ' OR ']) {
    const expression = terms(q, between)
    const found = [...threads(expression, limit), ...replies(expression, limit)]
    if (found.length === 0) continue
    return found
      .sort((a, b) => a.rank - b.rank)
      .slice(0, limit)
      .map(({ rank, doc }) => {
        // The bench stored threads and replies.
        const { body, ...rest } = JSON.parse(doc) as { body: string }
        return { ...rest, excerpt: body.slice(0, shown), relevance: -rank }
      })
  }
  return []
}

function inKnowledge(agent: string, q: string, limit: number): object[] {
  const known = JSON.parse(String(shelf.get(agent)?.['doc'])) as { shelf: string }
  const expression = `marks : "${markToken(0, known.shelf)}" AND (${terms(q, ' OR ')})`
  return pieces(expression, limit).map(({ rank, doc }) => {
    // The bench stored pieces.
    const { item_id, position, heading, place, text } = JSON.parse(doc) as Record<string, unknown>
    const about = { item_id, title: 'Notes', url: null, position, heading, place }
    return { ...about, text, score: -rank }
  })
}

const app = new Koa()
app.use((ctx) => {
  const { q, limit, agent } = ctx.query
  const [words, most] = [String(q), Number(limit)]
  const items =
    agent === undefined ? inCommons(words, most) : inKnowledge(String(agent), words, most)
  ctx.body = { ok: true, items }
})
announce(app)
