import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serving.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { read } from '#tests/house/tree.ts'

let server: Serving
beforeAll(async () => {
  server = await serving({}, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

/** What a reader would type, one block after the other. */
const typed = [...read('docs/payments.md').matchAll(/^```sh\n(.*?)^```$/gms)]
  .map(([, block]) => block ?? '')
  .join('\n')

describe('the guide to payments', () => {
  it('has examples that work as they are written', { timeout: 120_000 }, async () => {
    expect(typed).toContain('BASE=http://127.0.0.1:8080\n')
    const script = typed.replace('BASE=http://127.0.0.1:8080\n', `BASE=${server.url}\n`)
    const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], {
      timeout: 100_000,
    })
    expect(stdout).not.toContain('"code":')
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
