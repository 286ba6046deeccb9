import {
  CreateTaskResultV1Schema,
  GetTaskResultV1Schema,
} from '@modelcontextprotocol/ext-tasks/core/v1'
import { isDetailedTaskV2, isToolCallTaskResultV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import { itemTaskId, taskNamed } from '#protocol/mcp/tasks/names.ts'
import { startWork } from '#src/work/work.ts'
import { settled } from '#tests/knowledge/settled.ts'
import { stores } from '#tests/support/stores.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { legacy, messageOf, modern, type Message } from '../mcp-requests.ts'
import { smallDoor } from '../mcp-harness.ts'
import { by, Reading, served, type Served } from './served.ts'

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'
const asking = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

interface Shown {
  taskId: string
  status: string
  statusMessage?: string
  createdAt: string
  content: { text: string }[]
  result?: {
    isError?: boolean
    content: { text: string }[]
    structuredContent?: Record<string, unknown>
  }
}

const shown = ({ result, error }: Message): Shown => {
  if (!result) throw new Error(JSON.stringify(error))
  // A member that is not there fails the test that reads it.
  return result as unknown as Shown
}

describe.each(stores())('items of knowledge as tasks on $name', (kind) => {
  let place: Served
  let site: WebServer
  let key: string
  let stranger: string

  beforeAll(async () => {
    site = await startWebServer()
    site.on('/tides', (_, response) => response.end('Spring tides follow the full moon.'))
    const sender = openSender({ allow: [site.origin], userAgent: 'Abode/test' })
    place = await served({ waitsAtMostMs: 30_000 }, { sender }, kind)
    const { world } = place
    key = (await world.account()).key
    stranger = (await world.account()).key
    for (const id of ['ada', 'bob']) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
  })
  afterAll(async () => {
    await place.world.ports.extractor.close()
    await place.close()
    site.close()
  })

  const sent = async (
    method: string,
    params: Record<string, unknown>,
    as = key,
    query?: URLSearchParams,
  ): Promise<Message> => {
    const more = { ...by(as), ...(query && { query }) }
    const { taskId } = params
    if (typeof taskId === 'string') more.headers['mcp-name'] = taskId
    const _meta = { [capabilitiesKey]: asking }
    return messageOf(await place.handle(modern(method, { ...params, _meta }, more)))
  }
  const told = async (name: string, input: object, as = key): Promise<Shown> => {
    const call = { name, arguments: { char_id: 'ada', ...input } }
    const handle = shown(await sent('tools/call', call, as))
    expect(isToolCallTaskResultV2('tools/call', handle)).toBe(true)
    expect(handle).toMatchObject({ status: 'working', ttlMs: null, pollIntervalMs: 1000 })
    return handle
  }
  const text = (content = 'We open at nine.') =>
    told('knowledge_texts_add', { title: 'Hours', content })
  const got = async (taskId: string, query?: URLSearchParams): Promise<Shown> => {
    const task = shown(await sent('tasks/get', { taskId }, key, query))
    expect(isDetailedTaskV2(task)).toBe(true)
    return task
  }
  const idsIn = (taskId: string): readonly string[] => {
    const name = taskNamed(taskId)
    return name && 'itemIds' in name ? name.itemIds : []
  }
  const itemIn = (taskId: string): string => idsIn(taskId)[0] ?? 'none'
  const read = (...taskIds: string[]) => settled(place.world.ports, taskIds.flatMap(idsIn))

  test('what an agent is to know is a task until it was read, by whichever process', async () => {
    const { taskId, content } = await text()
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ id: itemIn(taskId) })
    expect(await got(taskId)).toMatchObject({ status: 'working', taskId })
    await read(taskId)
    const { result, statusMessage } = await got(taskId)
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { id: itemIn(taskId), status: 'indexed', title: 'Hours' },
    })
    expect(result).not.toHaveProperty('isError')
    expect(result?.structuredContent).not.toHaveProperty('settled_at')
    expect(statusMessage).toBe(`The item ${itemIn(taskId)} is indexed.`)
    // Where tools are listed for models, an answer is given once.
    const core = await got(taskId, new URLSearchParams('toolsets=core'))
    expect(core.result).not.toHaveProperty('structuredContent')
  })

  test('an address that cannot be read ends with the item, as an error, and its text is marked', async () => {
    const [good, bad] = [
      await told('knowledge_learn', { url: `${site.origin}/tides` }),
      await told('knowledge_sources_add', { url: `${site.origin}/absent` }),
    ]
    await read(good.taskId, bad.taskId)
    const { result } = await got(good.taskId)
    expect(result?.structuredContent).toMatchObject({ status: 'indexed', untrusted: true })
    expect(result?.content[0]?.text).toMatch(/^Between the two marks is data that others wrote/)
    expect(await got(bad.taskId)).toMatchObject({
      status: 'completed',
      statusMessage: expect.stringContaining('failed: http_status'),
      result: { isError: true, structuredContent: { status: 'failed', kind: 'source' } },
    })
  })

  test('a task that has ended stays so while its item is read again', async () => {
    const url = `${site.origin}/tides`
    const first = await told('knowledge_learn', { url })
    await read(first.taskId)
    // Readings are told apart by their time.
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(first.createdAt) + 1)
    const second = await told('knowledge_learn', { url })
    expect(itemIn(second.taskId)).toBe(itemIn(first.taskId))
    expect(await got(second.taskId)).toMatchObject({ status: 'working' })
    expect(await got(first.taskId)).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'queued' } },
    })
    await read(second.taskId)
    expect(await got(second.taskId)).toMatchObject({ status: 'completed' })
  })

  test('several items are one task, and its result is the answer of the call with all of them', async () => {
    const file = (filename: string, words: string) => ({
      filename,
      media_type: 'text/plain',
      data: Buffer.from(words).toString('base64'),
    })
    const files = await told('knowledge_files_add', {
      files: [file('a.txt', 'One.'), file('b.txt', 'Two.')],
    })
    const urls = ['/a', '/b', '/tides?1', '/a'].map((path) => site.origin + path)
    const bulk = await told('knowledge_learn_bulk', { urls })
    expect((await got(bulk.taskId)).statusMessage).toBe('Of 4 items 4 are still read.')
    await read(files.taskId, bulk.taskId)
    expect((await got(files.taskId)).result?.structuredContent).toMatchObject({
      items: [
        { title: 'a.txt', status: 'indexed' },
        { title: 'b.txt', status: 'indexed' },
      ],
    })
    const { result, statusMessage } = await got(bulk.taskId)
    expect(statusMessage).toBe('Of 4 items 3 could not be read.')
    expect(result).not.toHaveProperty('isError')
    const failed = { item: { status: 'failed' } }
    expect(result?.structuredContent).toMatchObject({
      items: urls.map((url) => ({ url, ...(url.includes('tides') ? {} : failed) })),
    })
  })

  test('a call of which a part is refused is answered at once, as is one that is refused', async () => {
    const urls = [`${site.origin}/tides`, 'ftp://x']
    for (const [name, input] of [
      ['knowledge_learn_bulk', { urls }],
      ['knowledge_learn', { url: 'ftp://x' }],
      ['knowledge_learn', { url: `${site.origin}/tides`, char_id: 'absent' }],
    ] as const) {
      const call = { name, arguments: { char_id: 'ada', ...input } }
      expect(shown(await sent('tools/call', call))).toMatchObject({ resultType: 'complete' })
    }
  })

  test('what calls it by its name becomes a task like the operation itself', async () => {
    const named = { name: 'knowledge.texts.add', arguments: { title: 'T', content: 'Words.' } }
    const input = { ...named, arguments: { char_id: 'ada', ...named.arguments } }
    const handle = await sent('tools/call', { name: 'operations_call', arguments: input })
    expect(await got(shown(handle).taskId)).toMatchObject({ status: 'working' })
  })

  test('cancelling stops nothing, nothing is asked, and what is deleted is no task any more', async () => {
    const { taskId } = await text()
    shown(await sent('tasks/cancel', { taskId }))
    shown(await sent('tasks/update', { taskId, inputResponses: { x: { action: 'accept' } } }))
    expect(await got(taskId)).toMatchObject({ status: 'working' })
    const gone = { char_id: 'ada', item_id: itemIn(taskId) }
    await place.world.ask('knowledge.delete', gone, key)
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const { error } = await sent(method, { taskId, inputResponses: {} })
      expect(error, method).toMatchObject({ code: -32_602, data: { code: 'knowledge_not_found' } })
    }
  })

  test('a task of another account, of another agent, or that was never given is unknown', async () => {
    const { taskId } = await text()
    const scoped = { name: 'bob', scope_char_id: 'bob' }
    const { key: bobs } = await place.world.ask<{ key: string }>('api_keys.create', scoped, key)
    const id = itemIn(taskId)
    const named = (asks: unknown) =>
      `${id}.${Buffer.from(JSON.stringify(asks)).toString('base64url')}`
    const since = new Date().toISOString()
    const most = Array.from({ length: 101 }, () => id)
    const forged = [
      named({}),
      named({ read: { as: 'all', since } }),
      named({ read: { as: 'item', since: 'now' } }),
      named({ read: { as: 'item', since, more: 1 } }),
      named({ read: { as: 'items', since, others: 'AAAA' } }),
      named({ events: {} }),
      `${id}.`,
      `${id}.${'A'.repeat(3000)}`,
      `${taskId}.x`,
      `${taskId}=`,
      'kno_1',
      itemTaskId({ itemIds: most, as: 'items', since }) ?? 'none',
    ]
    const asked = [...forged.map((one) => [one, key]), [taskId, stranger], [taskId, bobs]] as const
    for (const [one, as] of asked) {
      const { error } = await sent('tasks/get', { taskId: one }, as)
      expect(error, one.slice(0, 100)).toMatchObject({ code: -32_602 })
    }
    // The item alone is a task too, of those who may read it.
    expect(await got(id)).toMatchObject({ status: 'working' })
    const mixed = itemTaskId({ itemIds: [id, `kno_${'0'.repeat(32)}`], as: 'items', since })
    expect(await got(mixed ?? '')).toMatchObject({ status: 'working' })
  })

  test('who listens is told when it is read, and when it is deleted', async () => {
    const [kept, gone] = [await text('Kept.'), await text('Gone.')]
    const taskIds = [kept.taskId, gone.taskId, `kno_${'0'.repeat(32)}`]
    const params = { notifications: { taskIds }, _meta: { [capabilitiesKey]: asking } }
    const reading = new Reading(await place.handle(modern('subscriptions/listen', params, by(key))))
    expect(await reading.next()).toMatchObject({
      params: { notifications: { taskIds: [kept.taskId, gone.taskId] } },
    })
    const item_id = itemIn(gone.taskId)
    await place.world.ask('knowledge.delete', { char_id: 'ada', item_id }, key)
    await read(kept.taskId)
    const rest = await reading.rest()
    const last = rest.findLast(({ params: task }) => task?.['taskId'] === kept.taskId)?.params
    expect(last).toMatchObject({
      status: 'completed',
      result: { structuredContent: { status: 'indexed' } },
    })
    expect(rest.at(-1)).toMatchObject({ id: 7, result: {} })
  })

  test('a result that has not come in time is refused, and may be asked for again', async () => {
    const { taskId } = await text('Later.')
    const impatient = smallDoor(place.world.core, { waitsAtMostMs: 50 })
    const headers = { ...by(key).headers, 'mcp-protocol-version': '2025-11-25' }
    const request = legacy('tasks/result', { taskId }, { headers })
    const { error } = await messageOf(await impatient.handle(request))
    await impatient.close()
    expect(error).toMatchObject({ data: { code: 'run_under_way' } })
  })

  test('of very many ids a stream looks at the first thousand', async () => {
    const [first, late] = [await text('First.'), await text('Late.')]
    const forged = Array.from({ length: 2000 }, (_, i) => `run_${i}.eyJ4IjoxfQ`)
    const taskIds = [first.taskId, ...forged, late.taskId]
    const params = { notifications: { taskIds }, _meta: { [capabilitiesKey]: asking } }
    const reading = new Reading(await place.handle(modern('subscriptions/listen', params, by(key))))
    expect(await reading.next()).toMatchObject({
      params: { notifications: { taskIds: [first.taskId] } },
    })
    await read(first.taskId)
    await reading.rest()
  })

  test('the form of 2025-11-25 waits for the result', async () => {
    const headers = { ...by(key).headers, 'mcp-protocol-version': '2025-11-25' }
    const old = async (method: string, params: Record<string, unknown>): Promise<Message> =>
      messageOf(await place.handle(legacy(method, params, { headers })))
    const input = { char_id: 'ada', title: 'T', content: 'We open at ten.' }
    const call = { name: 'knowledge_texts_add', arguments: input, task: {} }
    const { result } = await old('tools/call', call)
    expect(CreateTaskResultV1Schema.safeParse(result).error).toBeUndefined()
    // The schema has it.
    const { taskId } = (result as { task: Shown }).task
    const found = await old('tasks/get', { taskId })
    expect(GetTaskResultV1Schema.safeParse(found.result).error).toBeUndefined()
    const gone = (await old('tools/call', call)).result as { task: Shown }
    // Who waits for what is deleted meanwhile is told so.
    const unread = old('tasks/result', { taskId: gone.task.taskId })
    const item_id = itemIn(gone.task.taskId)
    await expect.poll(() => place.world.ports.waiting.keys().join()).toContain(item_id)
    await place.world.ask('knowledge.delete', { char_id: 'ada', item_id }, key)
    expect((await unread).error).toMatchObject({ data: { code: 'knowledge_not_found' } })
    const waited = old('tasks/result', { taskId })
    const work = startWork(place.world.ports, ['knowledge'], 1)
    expect(shown(await waited)).toMatchObject({
      structuredContent: { id: itemIn(taskId), status: 'indexed' },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    })
    await work.stop()
  })
})

test('as many items as one call takes fit into an id', () => {
  const itemIds = Array.from({ length: 100 }, (_, i) => `kno_${String(i).padStart(32, 'a')}`)
  const name = { itemIds, as: 'urls', since: new Date().toISOString() } as const
  const taskId = itemTaskId(name) ?? ''
  expect(taskId.length).toBeLessThan(3000)
  expect(taskNamed(taskId)).toEqual(name)
})
