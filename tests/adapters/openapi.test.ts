import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { codes, kinds } from '#src/core/errors.ts'
import { isOfCommons, scopeOf, toolName } from '#src/core/operation-facts.ts'
import { scopeWords } from '#src/core/authorization/scopes.ts'
import { withTrust } from '#src/core/commons/trust.ts'
import { openapi } from '#src/documents/openapi.ts'
import { echoes } from './echo-catalog.ts'

/** The document as a reader gets it. */
interface Read {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, ReadOperation>>
  components: Record<string, Record<string, unknown>>
}

interface ReadOperation {
  operationId: string
  parameters?: { name?: string; in?: string; required?: boolean; $ref?: string }[]
  requestBody?: {
    required?: boolean
    content: { 'application/json': { schema: Schema; example: unknown } }
  }
  responses: Record<string, { description?: string; $ref?: string; content?: object }>
  security: unknown[]
  'x-abode-auth': string
  'x-abode-scope': string
  'x-abode-operation': string
  'x-abode-trust'?: number
}

interface EnvelopeSchema {
  required: string[]
  properties: {
    ok: object
    data: { properties?: Record<string, unknown> }
    meta: { properties: object }
  }
}

interface Content {
  'application/json': { schema: EnvelopeSchema }
}

interface Schema {
  $ref?: string
  properties?: Record<string, unknown>
  required?: string[]
  additionalProperties?: unknown
}

// What is published is JSON, and is read as such.
const read = (of: typeof catalog) =>
  JSON.parse(JSON.stringify(openapi(of, 'https://a.example'))) as Read
const document = read(catalog)
const echo = read(echoes)
const operations = (of: Read) =>
  Object.entries(of.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, op]) => ({ path, method, op })),
  )

/** The schema with what it refers to put in, down to lists: their items are sent whole. */
function merged(schema: Schema, within: readonly string[] = []): unknown {
  const { $ref, ...rest } = schema
  const name = $ref?.split('/').at(-1) ?? ''
  if (name !== '' && within.includes(name)) return {}
  const found = $ref === undefined ? {} : (document.components.schemas?.[name] ?? {})
  const whole = { ...rest, ...found }
  return Object.fromEntries(
    Object.entries(whole).map(([keyword, value]) => {
      if (keyword === 'items' || typeof value !== 'object' || value === null) {
        return [keyword, value]
      }
      const inner = (one: unknown): unknown => merged(one as Schema, [...within, name])
      if (Array.isArray(value)) {
        return [keyword, value.map((one) => (Object(one) === one ? inner(one) : one))]
      }
      return [keyword, inner(value)]
    }),
  )
}

describe('the OpenAPI document of the catalog', () => {
  it('has no defaults where what is absent stays as it is', () => {
    for (const path of ['/api/characters/{char_id}', '/api/characters/{char_id}/tasks/{task_id}']) {
      const body = document.paths[path]?.put?.requestBody
      const schema = body?.content['application/json'].schema ?? {}
      const text = JSON.stringify(merged(schema), (name, value: unknown) =>
        name === 'items' ? undefined : value,
      )
      expect(text).not.toContain('"default":')
      expect(text).not.toContain('"required":')
      expect(text).toContain('"description":')
    }
    const { schema } =
      document.paths['/api/characters/{char_id}']?.put?.requestBody?.content['application/json'] ??
      {}
    const update = JSON.stringify(merged(schema ?? {}))
    for (const name of ['temperature', 'heartbeat_interval', 'public_bio', 'maximum', 'tasks']) {
      expect(update).toContain(`"${name}"`)
    }
    // Who creates an agent is told what it becomes.
    expect(JSON.stringify(document.components.schemas?.BrainSchema)).toContain('"default":0.7')
  })

  it('is version 1.0 of a 3.1 document at our address', () => {
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { version: '1.0' },
      servers: [{ url: 'https://a.example' }],
    })
  })

  it('has every path of every operation, and nothing else', () => {
    const expected = catalog.flatMap((op) =>
      [op.http.path, ...(op.http.also ?? [])].map(
        (path) => `${op.http.method.toLowerCase()} ${path}`,
      ),
    )
    const found = operations(document).map(({ method, path }) => `${method} ${path}`)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  it('names each by its tool, once', () => {
    const ids = operations(document).map(({ op }) => op.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const op of catalog) expect(ids).toContain(toolName(op))
  })

  it('refers to nothing that is not there', () => {
    const text = JSON.stringify(document)
    const missing = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].filter(
      ([, kind = '', name = '']) => document.components[kind]?.[name] === undefined,
    )
    expect(missing.map(([ref]) => ref)).toEqual([])
    expect(text.match(/"\$ref":"(?!#\/components\/)/)).toBe(null)
  })

  it('says where a program signs a person in, and for what', () => {
    const { oauth2 } = document.components.securitySchemes ?? {}
    expect(oauth2).toMatchObject({
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://a.example/oauth/authorize',
          tokenUrl: 'https://a.example/oauth/token',
          refreshUrl: 'https://a.example/oauth/token',
          scopes: scopeWords,
        },
      },
    })
  })

  it('gives each operation its success, its caller, and every code that it may refuse with', () => {
    for (const { op } of operations(document)) {
      const source = catalog.find((one) => one.name === op['x-abode-operation'])
      if (!source) throw new Error(`${op.operationId} is no operation`)
      expect(op.responses[String(source.http.status ?? 200)]).toBeDefined()
      expect(op['x-abode-auth']).toBe(source.auth)
      const scope = source.auth === 'commons' ? 'agent' : (source.scope ?? 'account')
      expect(op['x-abode-scope']).toBe(scope)
      const credentials = {
        none: [],
        key: [{ key: [] }, { session: [] }, { oauth2: [scopeOf(source)] }],
        commons: [{ handle: [] }, { key: [] }, { oauth2: [scopeOf(source)] }],
        person: [{ session: [] }],
      }[source.auth]
      expect(op.security).toEqual([...(source.keyless ? [{}] : []), ...credentials])
      for (const code of source.refuses) {
        const { $ref = '' } = op.responses[String(kinds[codes[code]].status)] ?? {}
        const response = document.components['responses']?.[$ref.split('/').at(-1) ?? '']
        expect(JSON.stringify(response), `${op.operationId} ${code}`).toContain(`\`${code}\``)
      }
    }
  })

  it('requires every member of a path', () => {
    for (const { path, op } of operations(document)) {
      const inPath = op.parameters?.filter((parameter) => parameter.in === 'path') ?? []
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(new Set(inPath.map(({ name }) => name))).toEqual(new Set(named))
      expect(inPath).toHaveLength(named.length)
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
  })

  it('does not close what is answered against members to come', () => {
    const { Character } = document.components['schemas'] ?? {}
    expect(JSON.stringify(Character)).toContain('"revision"')
    expect((Character as Schema).additionalProperties).not.toBe(false)
  })
})

describe('an operation of the document', () => {
  const at = (path: string, method: string): ReadOperation => {
    const op = echo.paths[path]?.[method]
    if (!op) throw new Error(`no ${method} ${path}`)
    return op
  }
  const names = (op: ReadOperation) =>
    op.parameters?.map(({ name, in: place, $ref }) => $ref?.split('/').at(-1) ?? `${place} ${name}`)

  it('that reads has its members in path and query', () => {
    const op = at('/api/echo/{id}', 'get')
    expect(names(op)).toEqual(
      ['id', 'room', 'limit', 'ratio', 'loud', 'tags', 'counts', 'either']
        .map((name) => `${name === 'id' ? 'path' : 'query'} ${name}`)
        .concat('IfNoneMatch'),
    )
    expect(op.requestBody).toBe(undefined)
    expect(op.responses['304']).toBeDefined()
    // A body is not needed, but read where it is sent.
    expect(op.responses['415']).toBeDefined()
  })

  it('that deletes may have the members of its query in a body', () => {
    const op = document.paths['/api/agent-apps/{app_id}']?.['delete']
    const { required, content } = op?.requestBody ?? {}
    expect(required).toBe(false)
    expect(Object.keys(content?.['application/json']?.schema?.properties ?? {})).toEqual([
      'keep_agents',
    ])
    expect(op?.responses['415']).toBeDefined()
    expect(document.paths['/api/messages/{message_id}']?.['delete']?.requestBody).toBe(undefined)
  })

  it('that takes any query reads no body', () => {
    expect(document.paths['/health']?.['get']?.responses['415']).toBe(undefined)
  })

  it('at another path is narrowed there', () => {
    const op = at('/api/rooms/{room}/echo/{id}', 'get')
    expect(op.operationId).toBe('echo_get_by_room_id')
    expect(names(op)).toContain('path room')
  })

  it('that writes has a body, its example, and a key to repeat it by', () => {
    const op = at('/api/echo/', 'post')
    const content = op.requestBody?.content['application/json']
    expect(op.requestBody?.required).toBe(true)
    expect(content?.example).toEqual({ text: 'Hello' })
    expect(content?.schema).toMatchObject({ required: ['text'], additionalProperties: false })
    expect(names(op)).toEqual(['IdempotencyKey'])
    expect(at('/api/echo/{id}/poke', 'post').requestBody?.required).toBe(false)
  })

  it('that takes a document has it as its body', () => {
    const op = at('/api/echo/{id}', 'put')
    const { schema, example } = op.requestBody?.content['application/json'] ?? {}
    expect(Object.keys(schema?.properties ?? {})).toEqual(['size'])
    expect(example).toEqual({ size: 1 })
    expect(names(op)).toEqual(['path id', 'query dry_run'])
  })

  it('that can be followed says so', () => {
    const { content } = at('/api/events', 'get').responses['200'] ?? {}
    expect(Object.keys(content ?? {})).toEqual(['application/json', 'text/event-stream'])
  })
})

describe('an operation of the Commons in the document', () => {
  const commons = catalog.filter(isOfCommons)
  const of = (name: string, within = document): ReadOperation => {
    const found = operations(within).find(({ op }) => op['x-abode-operation'] === name)
    if (!found) throw new Error(`no ${name}`)
    return found.op
  }
  const answerOf = (op: ReadOperation, status = 200): EnvelopeSchema => {
    const content = op.responses[String(status)]?.content as Content
    return content['application/json'].schema
  }

  it('answers in the envelope, with the cursor of a list in meta', () => {
    for (const source of commons) {
      const { properties, required } = answerOf(of(source.name), source.http.status)
      expect(required).toEqual(['ok', 'data', 'error', 'notice', 'meta'])
      expect(properties.ok).toEqual({ type: 'boolean', const: true })
      const isList = 'next_cursor' in source.output.shape
      const members = ['request_id', ...(isList ? ['next_cursor'] : [])]
      expect(Object.keys(properties.meta.properties), source.name).toEqual(members)
      expect(properties.data.properties?.['next_cursor']).toBe(undefined)
    }
  })

  it('refuses in it, in the words of the Commons', () => {
    const { responses } = of('commons.identities.rotate')
    for (const [status, codes] of Object.entries({
      400: ['bad_json', 'idempotency_key_invalid', 'bad_address'],
      401: ['missing_token', 'invalid_token', 'token_revoked'],
      403: ['forbidden', 'banned'],
      409: ['idempotency_conflict'],
      422: ['invalid_input', 'unknown_field'],
    })) {
      const { $ref = '' } = responses[status] ?? {}
      const response = JSON.stringify(document.components.responses?.[$ref.split('/').at(-1) ?? ''])
      expect(response).toContain('#/components/schemas/CommonsError')
      expect(response).not.toMatch(/problem|`(unauthenticated|invalid_credential|too_deep)`/)
      for (const code of codes) expect(response).toContain(`\`${code}\``)
    }
    expect(document.components.schemas?.CommonsError).toMatchObject({
      required: ['ok', 'data', 'error', 'notice'],
      properties: {
        error: {
          required: [
            'code',
            'message',
            'details',
            'retry_after_s',
            'hint',
            'docs_url',
            'request_id',
          ],
        },
      },
    })
  })

  it('takes a handle or a key where it needs a member, and states the level', () => {
    expect(document.components.securitySchemes).toMatchObject({
      handle: { type: 'http', scheme: 'bearer' },
    })
    for (const source of commons) {
      const op = of(source.name)
      const level = source.auth === 'commons' ? (source.trust ?? 0) : undefined
      expect([source.name, op['x-abode-trust']]).toEqual([source.name, level])
    }
  })

  it('says the level that the operator has set', () => {
    const changed = read(withTrust(catalog, new Map([['commons.identities.rotate', 3]])))
    const op = of('commons.identities.rotate', changed)
    expect(op['x-abode-trust']).toBe(3)
    const { $ref = '' } = op.responses['403'] ?? {}
    const response = changed.components.responses?.[$ref.split('/').at(-1) ?? '']
    expect(JSON.stringify(response)).toContain('`trust_too_low`')
  })
})
