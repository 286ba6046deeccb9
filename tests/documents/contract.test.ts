import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { catalog } from '#src/catalog.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { chapterOf, groupsOf } from '#src/documents/groups.ts'
import { openapi } from '#src/documents/openapi.ts'
import { echoes } from '#tests/adapters/echo-catalog.ts'

interface Media {
  example?: Record<string, unknown>
  examples?: Record<string, { value: Record<string, unknown> }>
}

interface Shown {
  description: string
  tags: string[]
  parameters: { name?: string; in?: string; example?: unknown; $ref?: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>
  security: object[]
  'x-abode-operation': string
}

interface Read {
  info: Record<string, unknown>
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Shown>>
  components: {
    schemas: Record<string, unknown>
    responses: Record<string, Shown['responses']['']>
  }
}

// What is published is JSON, and is read as such.
const read = (of: typeof catalog) =>
  JSON.parse(JSON.stringify(openapi(of, 'https://abode.test'))) as Read
const document = read(catalog)
const shownAt = (path: string, op: Operation): Shown => {
  const shown = document.paths[path]?.[op.http.method.toLowerCase()]
  if (!shown) throw new Error(`the document lacks ${op.name}`)
  return shown
}
const table = catalog.map((op) => [op.name, op, shownAt(op.http.path, op)] as const)
const json = 'application/json'

describe('the contract', () => {
  it('says under which licence, and holds no address of a person', () => {
    expect(document.info).toMatchObject({ license: { identifier: 'Apache-2.0' } })
    expect(document.info['contact']).toBeUndefined()
  })

  it('has every operation in one group that says what it is about', () => {
    const names = document.tags.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { description } of document.tags) expect(description.length).toBeGreaterThan(20)
    for (const [, op, { tags }] of table) {
      expect(tags).toEqual([chapterOf(op).title])
      expect(names).toContain(tags[0])
    }
    const grouped = groupsOf(catalog).flatMap(({ operations }) => operations)
    expect(new Set(grouped)).toEqual(new Set(catalog))
    expect(grouped).toHaveLength(catalog.length)
  })

  it('names a chapter for every operation of the catalog, and makes one for others', () => {
    const unnamed = groupsOf(catalog).filter(({ description }) =>
      description.startsWith('Operations of '),
    )
    expect(unnamed).toEqual([])
    expect(groupsOf(echoes).map(({ slug }) => slug)).toContain('echo')
  })

  it.each(table)('%s says who may call it', (_, op, { description, security }) => {
    expect(description).toMatch(/Who may call: .+\.$/)
    if (op.trust) expect(description).toContain(`trust level ${op.trust}`)
    expect(security.length > 0).toBe(op.auth !== 'none')
  })
})

describe('the examples of the contract', () => {
  it.each(table)('%s: a request that its input takes', (_, op, shown) => {
    const sent: Record<string, unknown> = {}
    for (const { name, in: place, example } of shown.parameters) {
      if (name !== undefined && place !== 'header') sent[name] = example
    }
    const body = shown.requestBody?.content[json]?.example
    if (op.document === undefined) Object.assign(sent, body)
    else sent[op.document] = body
    const given = Object.fromEntries(
      Object.entries(sent).filter(([, value]) => value !== undefined),
    )
    expect(op.input.safeParse(given).error?.issues).toBeUndefined()
    // Nothing of the operation's own example is lost on the way.
    const own = Object.keys(op.example).filter((name) => op.http.headers?.[name] === undefined)
    expect(Object.keys(given).toSorted()).toEqual(own.toSorted())
    expect(JSON.stringify(given)).not.toMatch(/"[a-z]{2,4}_…"/)
  })

  it.each(table)('%s: an answer that its schema allows', (_, op, shown) => {
    const status = String(op.http.status ?? 200)
    const example = shown.responses[status]?.content?.[json]?.example
    expect(example, 'npm run examples').toBeDefined()
    const isList = 'next_cursor' in op.output.shape
    const envelope = z.strictObject({
      ok: z.literal(true),
      data: z.record(z.string(), z.unknown()),
      error: z.null(),
      notice: z.string().min(1),
      meta: z.strictObject({
        request_id: z.string(),
        ...(isList && { next_cursor: z.string().nullable() }),
      }),
    })
    const answer = isOfCommons(op) ? unwrapped(envelope.parse(example)) : example
    expect(op.output.safeParse(answer).error?.issues).toBeUndefined()
  })

  it('are of the status that a dry run answers with, too', () => {
    const tried = catalog.filter(({ input }) => 'dry_run' in input.shape)
    expect(tried.map(({ name }) => name)).toContain('agent_apps.provision')
    for (const op of tried) {
      expect(shownAt(op.http.path, op).responses['200']?.content?.[json]?.example).toBeDefined()
    }
  })

  it('are there for every member of every address, and every answer', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { parameters, responses }] of Object.entries(item)) {
        const bare = parameters.filter((one) => one.in === 'path' && one.example === undefined)
        expect([method, path, bare]).toEqual([method, path, []])
        const done = Object.entries(responses).filter(([status]) => status.startsWith('2'))
        expect(done.every(([, one]) => one.content?.[json]?.example !== undefined)).toBe(true)
      }
    }
  })

  it('show what has to be paid along with the code', () => {
    const { $ref = '' } = document.paths['/api/public/agents/{char_id}/tasks/{task_id}/orders']
      ?.post?.responses['402'] ?? { $ref: '' }
    const { content } = document.components.responses[$ref.split('/').at(-1) ?? ''] ?? {}
    expect(content?.[json]?.examples?.['payment_required']?.value).toMatchObject({
      code: 'payment_required',
      status: 'awaiting_payment',
      checkout: { url: expect.stringMatching(/^https:\/\/abode\.test\/pay\//) as string },
    })
  })

  it('have one name for any JSON', () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => name.startsWith('__'))).toEqual([])
    expect(document.components.schemas['Json']).toEqual({ description: 'Any JSON.' })
  })

  it('are left out where none is known', () => {
    const text = JSON.stringify(read(echoes))
    expect(text).toContain('"x-abode-operation":"echo.get"')
  })
})

function unwrapped({ data, meta }: { data: object; meta: { next_cursor?: unknown } }) {
  return { ...data, ...('next_cursor' in meta && { next_cursor: meta.next_cursor }) }
}
