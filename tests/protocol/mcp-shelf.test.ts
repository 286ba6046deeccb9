import { describe, expect, test } from 'vitest'
import { catalog as wholeCatalog } from '#src/catalog.ts'
import { promptsOf } from '#protocol/mcp/prompts/prompts.ts'
import { isOfCommons, offered } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { platformSkill } from '#src/documents/guides/platform-skill.ts'
import { SmallCore, smallDoor } from './mcp-harness.ts'
import { legacy, messageOf, modern } from './mcp-requests.ts'

/** What the doors of agents offer of it. */
const catalog = offered(wholeCatalog)

const door = smallDoor(new SmallCore())
const whole = smallDoor(new SmallCore(catalog))
const without = { headers: { authorization: undefined } }

async function read(uri: string, { send = modern, at = door, as = {} } = {}) {
  return messageOf(await at.handle(send('resources/read', { uri }, as)))
}

async function text(uri: string, options = {}): Promise<string> {
  const { result, error } = await read(uri, options)
  if (error) throw new Error(error.message)
  // The result of a read that went well.
  const { contents } = result as { contents: { uri: string; text: string }[] }
  expect(contents).toHaveLength(1)
  expect(contents[0]?.uri).toBe(uri)
  return contents[0]?.text ?? ''
}

describe('what can be read', () => {
  test.each([modern, legacy])('is listed', async (send) => {
    const { result } = await messageOf(await door.handle(send('resources/list')))
    expect(result).toMatchObject({
      resources: [
        { uri: 'abode://skill' },
        { uri: 'abode://skill?door=mcp' },
        { uri: 'abode://operations' },
      ],
    })
    const templates = await messageOf(await door.handle(send('resources/templates/list')))
    expect(templates.result).toMatchObject({
      resourceTemplates: [
        { uriTemplate: 'abode://operations/{name}' },
        { uriTemplate: 'abode://characters/{char_id}' },
      ],
    })
  })

  test('is the guide, the same page as on the web', async () => {
    const guide = await text('abode://skill', { at: whole, as: without })
    expect(guide).toBe(platformSkill(catalog, { publicUrl: 'http://127.0.0.1:8080' }))
  })

  test('are the operations', async () => {
    const { items } = JSON.parse(await text('abode://operations')) as { items: unknown[] }
    expect(items[1]).toEqual({
      name: 'notes.create',
      tool: 'notes_create',
      summary: 'Write a note.',
      http: { method: 'POST', path: '/api/notes', status: 201 },
      auth: 'key',
      scope: null,
      reads: false,
      toolsets: ['core', 'messages'],
      resource: 'abode://operations/notes.create',
    })
  })

  test.each(catalog)('is $name with both of its schemas', async ({ name }) => {
    const shown = JSON.parse(await text(`abode://operations/${name}`, { at: whole }))
    expect(shown).toMatchObject({ name, input: { type: 'object' }, output: { type: 'object' } })
    expect(JSON.stringify(shown)).not.toContain('As in ')
  })

  test('is an operation by the name of its tool, too', async () => {
    expect(await text('abode://operations/notes_get')).toBe(
      await text('abode://operations/notes.get'),
    )
  })

  test.each([modern, legacy])('is an agent of the caller', async (send) => {
    expect(await text('abode://characters/ada', { send })).toBe('{"id":"ada","name":"Ada"}')
    expect(await text('abode://characters/a%20da', { send })).toBe('{"id":"a da","name":"Ada"}')
  })

  test.each([
    'abode://nothing',
    'abode://operations/nothing',
    'abode://operations/',
    'abode://characters/none',
    'abode://characters/a/b',
    'https://example.com/',
    '',
  ])('is nothing at "%s"', async (uri) => {
    for (const send of [modern, legacy]) {
      expect((await read(uri, { send })).error).toMatchObject({ code: -32602, data: { uri } })
    }
  })

  test("is not what is another's, nor anything of an agent without a key", async () => {
    expect((await read('abode://characters/theirs')).error).toMatchObject({
      code: 403,
      data: { code: 'forbidden' },
    })
    expect((await read('abode://characters/ada', { as: without })).error).toMatchObject({
      code: 401,
      data: { code: 'unauthenticated' },
    })
    expect((await read('abode://characters/%zz')).error?.code).toBe(-32602)
  })

  test('may be kept by anybody, unless it belongs to the caller', async () => {
    const open = await read('abode://skill')
    expect(open.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
    const own = await read('abode://characters/ada')
    expect(own.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
  })
})

describe('prompts', () => {
  const get = async (name: string, args?: object) =>
    messageOf(await door.handle(modern('prompts/get', { name, ...(args && { arguments: args }) })))

  test.each([modern, legacy])('are listed with their arguments', async (send) => {
    const { result } = await messageOf(await door.handle(send('prompts/list')))
    expect(result).toMatchObject({
      prompts: [
        { name: 'get_started', arguments: [] },
        { name: 'provision_team', arguments: [{ name: 'goal', required: true }] },
        {
          name: 'write_manifest',
          arguments: [
            { name: 'goal', required: true },
            { name: 'app_id', required: false },
          ],
        },
        {
          name: 'be_the_brain',
          arguments: [
            { name: 'char_id', required: true },
            { name: 'task_id', required: false },
          ],
        },
      ],
    })
  })

  test('are of the Commons only where there is one', () => {
    const facts = { name: 'Abode', publicUrl: 'http://x', path: '/mcp' }
    const named = (catalog: readonly Operation[]) =>
      promptsOf({ ...facts, catalog }).map(({ entry }) => entry.name)
    expect(named(wholeCatalog)).toContain('answer_in_commons')
    expect(named(wholeCatalog.filter((op) => !isOfCommons(op)))).not.toContain('answer_in_commons')
  })

  test('hold what was put into them', async () => {
    const { result } = await get('be_the_brain', { char_id: 'a"b' })
    expect(JSON.stringify(result)).toContain(JSON.stringify(JSON.stringify('a"b')).slice(1, -1))
    expect((await get('provision_team', { goal: 'a newsroom' })).result).toMatchObject({
      messages: [{ role: 'user', content: { text: expect.stringContaining('a newsroom') } }],
    })
    expect((await get('get_started')).result).toMatchObject({ messages: [{ role: 'user' }] })
  })

  test.each([
    ['nothing', {}],
    ['provision_team', {}],
    ['provision_team', { goal: '' }],
    ['provision_team', { goal: 7 }],
  ])('are refused as %s with %j', async (name, args) => {
    expect((await get(name, args)).error?.code).toBe(-32602)
  })
})

describe('completion', () => {
  const complete = async (ref: object, argument: object, options = {}) => {
    const sent = modern('completion/complete', { ref, argument }, options)
    return messageOf(await door.handle(sent))
  }
  const operations = { type: 'ref/resource', uri: 'abode://operations/{name}' }
  const agents = { type: 'ref/resource', uri: 'abode://characters/{char_id}' }
  const brain = { type: 'ref/prompt', name: 'be_the_brain' }

  test.each([
    [
      operations,
      { name: 'name', value: 'NOTES.' },
      ['notes.create', 'notes.get', 'notes.delete', 'notes.wait'],
    ],
    [operations, { name: 'name', value: 'get' }, ['health.get', 'notes.get', 'characters.get']],
    [operations, { name: 'other', value: '' }, []],
    [agents, { name: 'char_id', value: 'b' }, ['bob']],
    [brain, { name: 'char_id', value: '' }, ['ada', 'bob']],
    [{ type: 'ref/prompt', name: 'get_started' }, { name: 'any', value: '' }, []],
  ])('of %o with %o', async (ref, argument, values) => {
    expect((await complete(ref, argument)).result).toMatchObject({
      completion: { values, total: values.length, hasMore: false },
    })
  })

  test('proposes goals for a team', async () => {
    const ref = { type: 'ref/prompt', name: 'provision_team' }
    const { result } = await complete(ref, { name: 'goal', value: 'answer' })
    expect(result).toMatchObject({ completion: { total: 1 } })
  })

  test('knows no agents without a key', async () => {
    const { result } = await complete(brain, { name: 'char_id', value: '' }, without)
    expect(result).toMatchObject({ completion: { values: [] } })
  })

  test.each([
    { type: 'ref/prompt', name: 'nothing' },
    { type: 'ref/resource', uri: 'abode://nothing/{x}' },
  ])('of %o proposes nothing', async (ref) => {
    const { result } = await complete(ref, { name: 'a', value: '' })
    expect(result).toMatchObject({ completion: { values: [], total: 0, hasMore: false } })
  })
})
