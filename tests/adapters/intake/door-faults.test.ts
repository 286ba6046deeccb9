import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { newToken } from '#src/core/ids.ts'
import { Unavailable, type Store } from '#src/ports/store.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { oneStore } from '#tests/support/stores.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'

let server: Serving
/** The error with which looking up a credential or an agent fails. */
let fault: (() => Error) | undefined

/** Rows that fail as long as the test says so. */
function fragile<N extends 'api_keys' | 'commons_tokens' | 'media'>(rows: Store[N]): Store[N] {
  const failing = (): Promise<never> => Promise.reject(fault?.())
  return new Proxy(rows, {
    get: (target, name, self) => (fault ? failing : Reflect.get(target, name, self)),
  })
}

beforeAll(async () => {
  const [kind] = oneStore()
  const store: OpenedStore | undefined = await kind?.open()
  if (!store) throw new Error('there is always one store')
  const { api_keys, commons_tokens, media } = store
  server = await serving({}, catalog, {
    store: {
      ...store,
      api_keys: fragile<'api_keys'>(api_keys),
      commons_tokens: fragile<'commons_tokens'>(commons_tokens),
      media: fragile<'media'>(media),
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  fault = undefined
})

const away = () => new Unavailable('a secret of the store')
const doors = ['/mcp', '/a2a', '/a2a/ada', '/api/commons/mcp', '/api/commons/a2a']
const call = (path: string, params: object = {}, origin?: string) =>
  server.ask(
    path,
    sending(
      'POST',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params },
      // None that the server knows already.
      { authorization: `Bearer ${newToken('ab')}`, ...(origin !== undefined && { origin }) },
    ),
  )

describe('what goes wrong with a request to a door', () => {
  it.each(doors)('is told by %s in its own words: a store that is away', async (path) => {
    fault = away
    const { status, headers, body, text } = await call(path)
    expect([status, headers.get('retry-after')]).toEqual([path.endsWith('mcp') ? 503 : 200, '2'])
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: 503 } })
    expect(text).toContain('"unavailable"')
    expect(text).not.toContain('a secret')
  })

  it.each(doors)('is reported by %s in its own format: a fault of the server', async (path) => {
    const before = server.logged.length
    fault = () => new Error('a secret of the inside')
    const { status, body, text } = await call(path)
    expect(status).toBe(path.endsWith('mcp') ? 500 : 200)
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { message: expect.any(String) } })
    expect(text).toContain('request_id')
    expect(text).not.toContain('a secret')
    expect(server.logged.slice(before).map(({ level }) => level)).toContain('error')
  })

  it.each(doors)('takes precedence at %s over the size that a key may send', async (path) => {
    fault = away
    const { status, headers, body } = await call(path, { large: 'x'.repeat(100_000) })
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: 503 } })
    fault = () => new Error('a secret of the inside')
    const other = await call(path, { large: 'x'.repeat(100_000) })
    expect([other.status, other.text.includes('a secret')]).toEqual([500, false])
    expect(other.body).toMatchObject({ jsonrpc: '2.0', id: null })
    fault = undefined
    expect((await call(path, { large: 'x'.repeat(100_000) })).status).toBe(413)
  })

  it('may be read by a page that may call', async () => {
    fault = () => new Error('a secret of the inside')
    const { headers } = await call('/mcp', { large: 'x'.repeat(100_000) }, server.url)
    expect(headers.get('access-control-allow-origin')).toBe(server.url)
  })
})

describe('a page', () => {
  it('is to be asked for again once the store is there', async () => {
    fault = away
    const { status, headers, body } = await server.ask(`/media/med_${'0'.repeat(32)}.webp`)
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    expect(body.code).toBe('unavailable')
  })
})
