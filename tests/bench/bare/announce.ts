import type Koa from 'koa'

/** Listens on a free port of this machine, and says where in the words of the product. */
export function announce(app: Koa): void {
  const server = app.listen(0, '127.0.0.1', () => {
    // A server that listens on a port has an address of this form.
    const { port } = server.address() as { port: number }
    console.log(JSON.stringify({ message: 'listening', url: `http://127.0.0.1:${port}` }))
  })
  server.keepAliveTimeout = 60_000
}
