// A start of Koa over node:sqlite, in JavaScript as the product's build is: nothing has to be stripped.
import Koa from 'koa'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [folder = '.'] = process.argv.slice(2)
const database = new DatabaseSync(join(folder, 'bare.db'))
database.exec(`
  PRAGMA journal_mode=WAL;
  CREATE TABLE agents (id TEXT PRIMARY KEY, owner TEXT, created_at TEXT, doc TEXT);
  CREATE INDEX lists ON agents(owner, created_at);
`)
const count = database.prepare('SELECT count(*) AS agents FROM agents')

const app = new Koa()
app.use((ctx) => {
  ctx.body = { status: 'ok', ...count.get() }
})
const server = app.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an address of this form.
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(JSON.stringify({ message: 'listening', url: `http://127.0.0.1:${port}` }))
})
