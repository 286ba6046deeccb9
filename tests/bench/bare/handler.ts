import Koa from 'koa'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { a2aDoor } from './a2a.ts'
import { announce } from './announce.ts'
import { mcpDoor } from './mcp.ts'

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
/** An agent with every member: a new one is stored and answered with as many bytes as the product's. */
const whole = JSON.parse(stored.at(-1)?.[2] ?? '{}') as object

const read = (id: string): string => String(one.get(id)?.['doc'])
const a2a = a2aDoor(read)
const mcp = mcpDoor(read)

const app = new Koa()
app.use(async (ctx) => {
  ctx.type = 'application/json'
  if (ctx.method === 'POST') {
    const body = await text(ctx.req)
    if (ctx.path === '/a2a') ctx.body = await a2a(body)
    else if (ctx.path === '/mcp') ctx.body = mcp(body)
    else ctx.body = created(body)
  } else if (ctx.path === '/agents') {
    const docs = page.all('lister').map((row) => row['doc'])
    ctx.body = `{"items":[${docs.join(',')}],"next_cursor":null}`
  } else {
    ctx.body = read(ctx.path.slice('/agents/'.length))
  }
})
announce(app)

function created(body: string): string {
  // The bench sends agents.
  const sent = JSON.parse(body) as { id: string }
  const created_at = new Date().toISOString()
  const doc = JSON.stringify({ ...sent, ...whole, id: sent.id, created_at, updated_at: created_at })
  insert.run(sent.id, 'writer', created_at, doc)
  return doc
}
