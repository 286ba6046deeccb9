import Koa from 'koa'
import { PassThrough } from 'node:stream'
import { announce } from './announce.ts'

/** Streams that stay open and say nothing more. */
const app = new Koa()
// The bench closes them all at once.
app.silent = true
app.use((ctx) => {
  const stream = new PassThrough()
  ctx.type = 'text/event-stream'
  ctx.body = stream
  stream.write(': open\n\n')
})
announce(app)
