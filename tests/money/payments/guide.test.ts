import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { read } from '#tests/house/tree.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { played } from '#tests/support/guides/play.ts'

let server: Serving
beforeAll(async () => {
  server = await serving({}, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the guide to payments', () => {
  it('has examples that work as they are written', async () => {
    const page = read('docs/payments.md')
    expect(page).toContain('BASE=http://127.0.0.1:8080\n')
    const stdout = await played(page, { 'http://127.0.0.1:8080': server.url })
    expect(stdout).not.toContain('"request_id":')
    expect(stdout).toContain('A poem about the sea, for you alone.')
    expect(stdout).toContain('A poem about rain, for you alone.')
    expect(stdout).toContain('"comment":"Salty."')
    const { orders } = server.abode.ports.store
    const made = await orders.find({}, { sort: { id: 1 } })
    expect(made).toMatchObject([
      { status: 'completed', paid_by: 'wallet', rating: { stars: 5 } },
      { status: 'completed', paid_by: 'checkout', rating: null },
    ])
    await expectBooksBalanced(server.abode.ports.store)
  })
})
