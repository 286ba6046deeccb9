import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { groupsOf } from '#src/documents/groups.ts'
import { requestExample } from '#src/documents/openapi-examples.ts'
import { restCall } from '#src/documents/reference/calls.ts'
import { typeOf } from '#src/documents/reference/types.ts'
import { sending, serving, type Serving } from '#tests/adapters/serve.ts'

let server: Serving
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off', ABODE_POW_BITS: '2' }, catalog)
})
afterAll(() => server[Symbol.asyncDispose]())

const groups = groupsOf(catalog)
const largest = 300_000

describe('the reference', () => {
  it('lists every operation, and leads to its page', async () => {
    const { text, headers } = await server.ask('/api-reference')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { slug, operations } of groups) {
      for (const { name } of operations) {
        expect(text).toContain(`href="/api-reference/${slug}#${name}"`)
      }
    }
  })

  it.each(groups.map((group) => [group.slug, group] as const))(
    'tells everything about %s, without a script and without another site',
    async (slug, { operations, title }) => {
      const { text, headers, status } = await server.ask(`/api-reference/${slug}`)
      expect(status).toBe(200)
      expect(text.length).toBeLessThan(largest)
      expect(text).toContain(`<h1>${title}</h1>`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'/,
      )
      expect(text).not.toMatch(/<script|\son\w+=|src=|@import|url\(/i)
      const outside = [...text.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, to = '']) => to)
      expect(outside.filter((to) => !/^[/#]/.test(to))).toEqual([])
      // Every link within the page has its target on it.
      for (const to of outside.filter((one) => one.startsWith('#'))) {
        expect(text).toContain(`id="${to.slice(1)}"`)
      }
      const copy = (await server.ask(`/api-reference/${slug}.md`)).text
      expect(text).toContain(`href="/api-reference/${slug}.md"`)
      for (const op of operations) {
        expect(text).toContain(`<h2 id="${op.name}">`)
        expect(copy).toContain(`\n## ${op.name}\n`)
        expect(copy).toContain(`\`${op.http.method} ${op.http.path}\``)
        const tool = `"name": "${toolName(op)}"`
        expect(copy.includes(tool), `${op.name} over MCP`).toBe(!op.restOnly)
        for (const code of op.refuses) expect(copy).toContain(`\`${code}\``)
      }
    },
  )

  it('is searched by words of names, members and codes', async () => {
    const found = async (q: string): Promise<string[]> => {
      const { text } = await server.ask(`/api-reference?q=${encodeURIComponent(q)}`)
      return [...text.matchAll(/#([\w.]+)">\1<\/a>/g)].map(([, name = '']) => name)
    }
    expect((await found('run a task'))[0]).toBe('tasks.run')
    expect(await found('lease_lost')).toContain('runs.heartbeat')
    expect(await found('hooks path')).toContain('hooks.receive')
    expect(await found('no such thing anywhere')).toEqual([])
    expect(await found('')).toEqual([])
    expect(await found('…')).toEqual([])
  })

  it('says what was sought, as text', async () => {
    const sought = `"><script>alert(1)</script>${'x'.repeat(5000)}`
    const { text, status } = await server.ask(`/api-reference?q=${encodeURIComponent(sought)}`)
    expect(status).toBe(200)
    expect(text).not.toContain('<script')
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
    expect(text).not.toContain('x'.repeat(300))
  })

  it('has nothing at other addresses', async () => {
    expect((await server.ask('/api-reference/nothing')).status).toBe(404)
    expect((await server.ask('/api-reference/')).status).toBe(200)
  })
})

describe('the calls of the reference', () => {
  const paths = catalog.map((op) => [op.name, op] as const)
  /** What a call with the wrong address, method, form or input is told. */
  const misled =
    /"code":"(?:path_not_found|method_not_allowed|unsupported_media_type|bad_json|body_not_object|invalid_input|bad_address|unknown_field)"/

  it.each(paths)('%s reaches its operation', async (_, op) => {
    const { method, url, headers, body } = restCall(op, requestExample(op), server.url)
    const sent = { ...headers, ...(await credentialOf(op)) }
    const answer = await server.ask(url.slice(server.url.length), {
      ...(body === undefined ? { method } : sending(method, body)),
      headers: sent,
    })
    expect(answer.text).not.toMatch(misled)
    expect(answer.body.code).not.toBe('unauthenticated')
  })

  it('quote for a shell what they send', async () => {
    const { text } = await server.ask('/api-reference/service.md')
    expect(text).toContain(`curl -s '${server.url}/health'`)
  })
})

let key: Promise<string> | undefined

async function credentialOf(op: Operation): Promise<object> {
  if (op.auth !== 'key') return {}
  key ??= newKey()
  return { Authorization: `Bearer ${await key}` }
}

async function newKey(): Promise<string> {
  const { text } = await server.ask('/api/agent-claim', { method: 'POST' })
  // The answer of the operation.
  return (JSON.parse(text) as { api_key: string }).api_key
}

describe('a type in words', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 9 }, 'string, 1 to 9'],
    [{ type: 'integer', minimum: 0 }, 'integer'],
    [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ type: 'array', items: { type: 'number' }, maxItems: 5 }, 'list of number, at most 5'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
    [{ type: 'object', properties: {}, additionalProperties: {} }, 'object'],
    [{ const: true }, 'true'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ $ref: '#/components/schemas/Run' }, 'Run'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Run' } }, 'list of Run'],
    [{ description: 'Any value.' }, 'any JSON'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
  ])('%j', (schema, words) => {
    const text = typeOf(schema).map((part) => (typeof part === 'string' ? part : part.shape))
    expect(text.join('')).toBe(words)
  })
})
