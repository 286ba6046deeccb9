import Koa from 'koa'
import { announce } from './announce.ts'

// What a Koa server costs that does nothing at all: the unit of the bench.
const app = new Koa()
app.use((ctx) => {
  ctx.body = '{"status":"ok"}'
})
announce(app)
