import Koa from 'koa'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { announce } from './announce.ts'

/**
 * The same work by hand: Koa over node:sqlite, the stored text passed through, as durable as the
 * product. No keys, no rules, no checks, one commit a request.
 */
const [folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'bare.db'))
database.exec(`
  PRAGMA page_size=8192;
  PRAGMA journal_mode=WAL;
  PRAGMA synchronous=FULL;
  CREATE TABLE agents (id TEXT PRIMARY KEY, owner TEXT, created_at TEXT, doc TEXT);
  CREATE INDEX lists ON agents(owner, created_at);
`)
const insert = database.prepare('INSERT INTO agents VALUES (?, ?, ?, ?)')
const one = database.prepare('SELECT doc FROM agents WHERE id = ?')
const page = database.prepare(
  'SELECT doc FROM agents WHERE owner = ? ORDER BY created_at DESC LIMIT 20',
)

// The bench wrote them: what the product answers, so that both send the same bytes.
const stored = JSON.parse(readFileSync(join(folder, 'agents.json'), 'utf8')) as string[][]
for (const [owner = '', id = '', doc = ''] of stored) {
  insert.run(id, owner, new Date().toISOString(), doc)
}

const app = new Koa()
app.use(async (ctx) => {
  ctx.type = 'application/json'
  if (ctx.method === 'POST') {
    // The bench sends agents.
    const sent = JSON.parse(await text(ctx.req)) as { id: string }
    const created_at = new Date().toISOString()
    const doc = JSON.stringify({ ...sent, created_at })
    insert.run(sent.id, 'writer', created_at, doc)
    ctx.body = doc
  } else if (ctx.path === '/agents') {
    const docs = page.all('lister').map((row) => row['doc'])
    ctx.body = `{"items":[${docs.join(',')}],"next_cursor":null}`
  } else {
    ctx.body = one.get(ctx.path.slice('/agents/'.length))?.['doc']
  }
})
announce(app)
