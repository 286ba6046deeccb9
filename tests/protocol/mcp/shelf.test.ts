import { catalog } from '#src/catalog.ts'
import { ToolTable } from '#protocol/mcp/tools.ts'
import { offered } from '#src/core/operation-facts.ts'
import * as z from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operation } from '#src/core/operation.ts'
import type { PublishedDocument } from '#protocol/mcp/prompts/guidance.ts'
import { matched, variablesOf } from '#protocol/mcp/templates.ts'
import { SmallCore, smallDoor } from '../mcp-harness.ts'
import { messageOf, modern } from '../mcp-requests.ts'
import { by, eras, served, type Send, type Served } from './served.ts'

let place: Served
let key: string
let stranger: string
let scoped: string
let run: string
let asked = 0

const documents: PublishedDocument[] = [
  {
    uri: 'abode://guides/first-agent',
    name: 'guide-first-agent',
    title: 'A first agent',
    description: 'How to make one.',
    mimeType: 'text/markdown',
    text() {
      asked += 1
      if (asked === 1) throw new Error('not yet')
      return `# A first agent, asked for ${asked} times`
    },
  },
  {
    uri: 'abode://openapi',
    name: 'openapi',
    title: 'The OpenAPI document',
    description: 'The contract.',
    mimeType: 'application/json',
    text: () => '{"openapi":"3.1.1"}',
  },
]

const manifest = {
  app_id: 'desk',
  name: 'Desk',
  agents: [
    {
      local_id: 'ada',
      name: 'Ada',
      heart: { tasks: [{ task_id: 'think', name: 'Think', prompt: 'Think of {{input}}' }] },
    },
    { local_id: 'bob', name: 'Bob' },
  ],
  webhook: { url: 'https://example.com/hook', secret: 'a secret of many letters' },
}

beforeAll(async () => {
  place = await served({ documents })
  key = (await place.world.account()).key
  stranger = (await place.world.account()).key
  const { world } = place
  await world.ask('agent_apps.provision', { manifest }, key)
  const input = { char_id: 'desk--ada', task_id: 'think', input: 'x' }
  run = (await world.ask<{ id: string }>('tasks.run', input, key)).id
  const made = { name: 'Bob', scope_char_id: 'desk--bob' }
  scoped = (await world.ask<{ key: string }>('api_keys.create', made, key)).key
})
afterAll(() => place.close())

async function read(uri: string, as: string | undefined = key, send: Send = modern) {
  return messageOf(await place.handle(send('resources/read', { uri }, by(as))))
}

interface Contents {
  contents: { uri: string; mimeType: string; text: string }[]
}

describe.each(eras)('a client of the %s era reads', (_, send) => {
  const text = async (uri: string) => {
    const { result } = await read(uri, key, send)
    // The result of a read that went well.
    const [content] = (result as unknown as Contents).contents
    expect(content).toMatchObject({ uri, mimeType: 'application/json' })
    return JSON.parse(content?.text ?? '') as unknown
  }

  test('its agents, apps, manifests and runs', async () => {
    expect(await text('abode://characters/desk--ada')).toMatchObject({ name: 'Ada' })
    expect(await text('abode://apps/desk')).toMatchObject({ app_id: 'desk', agents: [{}, {}] })
    const { webhook, ...shown } = manifest
    expect(await text('abode://apps/desk/manifest')).toEqual({
      ...shown,
      webhook: { ...webhook, secret: '***' },
    })
    expect(await text(`abode://runs/${run}`)).toMatchObject({ id: run, status: 'queued' })
  })

  test('guides and the contract, with what they are', async () => {
    const listed = await messageOf(await place.handle(send('resources/list', {}, by(undefined))))
    expect(listed.result).toMatchObject({
      resources: [
        { uri: 'abode://skill', mimeType: 'text/markdown' },
        { uri: 'abode://skill?door=mcp', mimeType: 'text/markdown' },
        { uri: 'abode://operations', mimeType: 'application/json' },
        { uri: 'abode://guides/first-agent', mimeType: 'text/markdown', title: 'A first agent' },
        { uri: 'abode://openapi', mimeType: 'application/json' },
        { uri: 'abode://account/events', mimeType: 'application/json' },
      ],
    })
    expect(JSON.stringify(listed.result)).not.toContain('"text"')
    const { result } = await read('abode://openapi', undefined, send)
    expect(result).toMatchObject({
      contents: [
        { uri: 'abode://openapi', mimeType: 'application/json', text: '{"openapi":"3.1.1"}' },
      ],
    })
  })

  test('templates for all that has an address of its own', async () => {
    const { result } = await messageOf(
      await place.handle(send('resources/templates/list', {}, by(undefined))),
    )
    const { resourceTemplates } = result as {
      resourceTemplates: { uriTemplate: string; mimeType: string }[]
    }
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'abode://operations/{name}',
      'abode://guides/{guide}',
      'abode://characters/{char_id}',
      'abode://apps/{app_id}',
      'abode://apps/{app_id}/manifest',
      'abode://runs/{run_id}',
      'abode://account/events/{cursor}',
    ])
    expect(resourceTemplates.every(({ mimeType }) => mimeType !== '')).toBe(true)
  })
})

describe('what is read', () => {
  test('is asked for until it is there, and then once', async () => {
    asked = 0
    const again = await served({ documents })
    const sent = () =>
      again.handle(modern('resources/read', { uri: documents[0]?.uri }, by(undefined)))
    expect((await messageOf(await sent())).error).toMatchObject({ code: -32603 })
    for (const _ of ['first', 'again']) {
      const { result } = await messageOf(await sent())
      expect(JSON.stringify(result)).toContain('asked for 2 times')
    }
    await again.close()
  })

  test.each([
    ['abode://characters/desk--ada', 403],
    ['abode://apps/desk', 403],
    ['abode://apps/desk/manifest', 403],
    ['abode://runs/', -32602],
    ['abode://runs/run_none', -32602],
    ['abode://apps/none/manifest', -32602],
    ['abode://apps/desk/manifests', -32602],
    ['abode://apps//manifest', -32602],
    ['abode://apps/a/b/manifest', -32602],
    ['abode://guides/none', -32602],
    ['abode://guides/../first-agent', -32602],
    [`abode://runs/${'x'.repeat(5000)}`, -32602],
  ])('is not %s of another account', async (uri, code) => {
    expect((await read(uri, stranger)).error).toMatchObject({ code })
  })

  test("is not another's run, nor anything of one's own without a key", async () => {
    expect((await read(`abode://runs/${run}`, stranger)).error).toMatchObject({ code: 403 })
    expect((await read(`abode://runs/${run}`, scoped)).error).toMatchObject({ code: 403 })
    for (const uri of [`abode://runs/${run}`, 'abode://apps/desk/manifest']) {
      const sent = modern('resources/read', { uri }, by(undefined))
      expect((await messageOf(await place.handle(sent))).error).toMatchObject({ code: 401 })
    }
  })

  test('is no larger than a host can hold', async () => {
    const get = operation({
      name: 'characters.get',
      summary: 'Read an agent.',
      example: { char_id: 'ada' },
      auth: 'none',
      http: { method: 'GET', path: '/api/characters/{char_id}' },
      toolsets: ['agents'],
      role: 'read_agent',
      input: z.strictObject({ char_id: z.string() }),
      output: z.looseObject({ bio: z.string() }),
      refuses: [],
      run: ({ char_id: id }) => ({ bio: 'x'.repeat(2 ** 20 * Number(id)) }),
    })
    const door = smallDoor(new SmallCore([get]))
    const reading = async (id: number) =>
      messageOf(await door.handle(modern('resources/read', { uri: `abode://characters/${id}` })))
    expect((await reading(5)).result).toHaveProperty('contents')
    expect((await reading(8)).error).toMatchObject({
      code: 413,
      data: { code: 'payload_too_large', hint: expect.stringContaining('/api/characters') },
    })
  })

  test('names no address at length', async () => {
    const { error } = await read(`abode://runs/${'x'.repeat(100_000)}`)
    expect(JSON.stringify(error).length).toBeLessThan(5000)
  })
})

describe('completion', () => {
  const complete = async (
    ref: object,
    argument: { name: string; value: string },
    as: string | undefined = key,
    chosen?: object,
  ) => {
    const params = { ref, argument, ...(chosen && { context: { arguments: chosen } }) }
    const { result } = await messageOf(
      await place.handle(modern('completion/complete', params, by(as))),
    )
    // The result of a completion.
    return (result as { completion: { values: string[]; total?: number } }).completion
  }
  const of = (uri: string) => ({ type: 'ref/resource', uri })
  const prompt = (name: string) => ({ type: 'ref/prompt', name })

  test('proposes what is the caller’s own', async () => {
    expect(await complete(of('abode://apps/{app_id}'), { name: 'app_id', value: 'D' })).toEqual({
      values: ['desk'],
      total: 1,
      hasMore: false,
    })
    const manifests = of('abode://apps/{app_id}/manifest')
    expect((await complete(manifests, { name: 'app_id', value: '' })).values).toEqual(['desk'])
    const runs = of('abode://runs/{run_id}')
    expect((await complete(runs, { name: 'run_id', value: 'run_' })).values).toEqual([run])
    const agents = of('abode://characters/{char_id}')
    expect((await complete(agents, { name: 'char_id', value: 'bob' })).values).toEqual([
      'desk--bob',
    ])
  })

  test('proposes nothing of others, and only its own to a key that acts as an agent', async () => {
    for (const [uri, name] of [
      ['abode://apps/{app_id}', 'app_id'],
      ['abode://runs/{run_id}', 'run_id'],
      ['abode://characters/{char_id}', 'char_id'],
    ] as const) {
      expect((await complete(of(uri), { name, value: '' }, stranger)).values).toEqual([])
    }
    const agents = of('abode://characters/{char_id}')
    expect((await complete(agents, { name: 'char_id', value: '' }, scoped)).values).toEqual([
      'desk--bob',
    ])
    const apps = of('abode://apps/{app_id}')
    expect((await complete(apps, { name: 'app_id', value: '' }, scoped)).values).toEqual([])
  })

  test('knows the guides, the boards, and the tasks of the agent that was chosen', async () => {
    const guides = of('abode://guides/{guide}')
    expect((await complete(guides, { name: 'guide', value: '' })).values).toEqual(['first-agent'])
    const boards = await complete(prompt('answer_in_commons'), { name: 'board', value: 'a' })
    expect(boards.values[0]).toBe('ask')
    const task = { name: 'task_id', value: '' }
    const brain = prompt('be_the_brain')
    expect((await complete(brain, task, key, { char_id: 'desk--ada' })).values).toEqual(['think'])
    expect((await complete(brain, task, key, { char_id: 'desk--bob' })).values).toEqual([])
    expect((await complete(brain, task, key, { char_id: 'none' })).values).toEqual([])
    expect((await complete(brain, task)).values).toEqual([])
  })

  test.each([
    [prompt('be_the_brain'), 'app_id'],
    [prompt('get_started'), 'char_id'],
    [of('abode://apps/{app_id}'), 'char_id'],
    [of('abode://nothing/{run_id}'), 'run_id'],
    [prompt('answer_in_commons'), 'topic'],
    [prompt('constructor'), 'constructor'],
  ])('of %o has no %s', async (ref, name) => {
    expect(await complete(ref, { name, value: '' })).toEqual({
      values: [],
      total: 0,
      hasMore: false,
    })
  })
})

describe('prompts', () => {
  const text = async (name: string, args: object) => {
    const { result } = await messageOf(
      await place.handle(modern('prompts/get', { name, arguments: args }, by(key))),
    )
    return JSON.stringify(result)
  }

  test('write a new manifest, or change one', async () => {
    const made = await text('write_manifest', { goal: 'answer mail' })
    expect(made).toContain('answer mail')
    expect(made).not.toContain('agent_apps_update')
    const changed = await text('write_manifest', { goal: 'more', app_id: 'desk' })
    expect(changed).toContain('abode://apps/desk/manifest')
    expect(changed).toContain('agent_apps_update')
    expect(changed).toContain('dry_run')
  })

  test('think for one task, and answer on one board', async () => {
    const brain = await text('be_the_brain', { char_id: 'a', task_id: 't"' })
    expect(brain).toContain('\\"task_id\\":\\"t\\\\\\"\\"')
    const answers = await text('answer_in_commons', { char_id: 'a', topic: 'tides' })
    expect(answers).toContain('\\"board\\":\\"ask\\"')
    expect(answers).toContain('about tides')
  })

  test('name tools only that a list of the core shows', async () => {
    const table = new ToolTable(offered(catalog))
    const core = table.list({ toolsets: ['core'], readonly: false })
    const tools = new Set(core.map(({ name }) => name))
    const { result } = await messageOf(await place.handle(modern('prompts/list', {}, by(key))))
    const { prompts } = result as { prompts: { name: string; arguments: { name: string }[] }[] }
    for (const { name, arguments: args } of prompts) {
      const filled = Object.fromEntries(args.map((arg) => [arg.name, 'x']))
      const named = (await text(name, filled)).match(/\b[a-z]+_(?:[a-z]+_)*[a-z]+\b/g) ?? []
      const calls = named.filter((word) =>
        /^(runs|agent|tasks|commons|account|api|operations)_/.test(word),
      )
      const missing = calls.filter(
        (word) => !tools.has(word) && !['agent_apps', 'api_key'].includes(word),
      )
      expect(missing).toEqual([])
    }
  })
})

test('what prompts ask to be read is short', async () => {
  const call = { name: 'operations_get', arguments: { name: 'agent_apps.provision' } }
  const { result } = await messageOf(await place.handle(modern('tools/call', call, by(undefined))))
  expect(result).not.toHaveProperty('structuredContent')
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(10_000)
})

describe('the address of a template', () => {
  test.each([
    ['abode://apps/{app_id}', 'abode://apps/a%20b', { app_id: 'a b' }],
    ['abode://apps/{app_id}/manifest', 'abode://apps/a/manifest', { app_id: 'a' }],
    ['abode://apps/{app_id}/manifest', 'abode://apps/a', undefined],
    ['abode://apps/{app_id}', 'abode://apps/a/manifest', undefined],
    ['abode://apps/{app_id}', 'abode://apps/a?b', undefined],
    ['abode://apps/{app_id}', 'abode://apps/', undefined],
    ['abode://apps/{app_id}', 'ABODE://apps/a', undefined],
  ])('%s is %s with %j', (template, uri, values) => {
    expect(matched(template, uri)).toEqual(values)
  })

  test('names its variables', () => {
    expect(variablesOf('abode://a/{one}/b/{two_2}')).toEqual(['one', 'two_2'])
  })
})
