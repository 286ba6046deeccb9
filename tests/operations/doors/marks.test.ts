import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { toolName } from '#src/core/operation-facts.ts'
import { isMap } from '#src/core/maps.ts'
import { injections } from '#tests/support/injections.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { a2aDoor, mcpDoor, restDoor, type Send } from './doors.ts'
import { openServer, type PlayedServer } from './server.ts'

const markers = injections.map(({ marker }) => marker)

/** The texts of a value that hold a marker and stand in no object that is marked. */
function unmarked(value: unknown, isInMarked = false): string[] {
  if (typeof value === 'string') {
    return !isInMarked && markers.some((marker) => value.includes(marker)) ? [value] : []
  }
  if (Array.isArray(value)) return value.flatMap((one) => unmarked(one, isInMarked))
  if (!isMap(value)) return []
  const { untrusted, source, origin } = value
  const isMarked = untrusted === true && (isMap(source) || isMap(origin))
  return Object.values(value).flatMap((one) => unmarked(one, isInMarked || isMarked))
}

/** What every entrance is sent: claims about itself next to the text. */
const claiming = (text: string) => ({ text, untrusted: false, source: null })

interface Read {
  op: string
  input: Record<string, unknown>
  /** Without: what anybody may read. */
  as?: 'owner' | 'other'
  /** How many of the texts come out at least. */
  least?: number
}

const page = { limit: 100 }
const reads: Read[] = [
  { op: 'runs.list', input: { char_id: 'ada', ...page }, as: 'owner', least: 10 },
  { op: 'runs.list', input: { char_id: 'grace', ...page }, as: 'owner', least: 20 },
  { op: 'runs.list', input: { ...page, view: 'summary' }, as: 'owner' },
  { op: 'approvals.list', input: page, as: 'owner', least: 20 },
  { op: 'messages.list', input: { char_id: 'ada', ...page }, as: 'owner', least: 20 },
  { op: 'posts.list', input: { char_id: 'ada', ...page }, as: 'owner', least: 20 },
  { op: 'posts.list', input: { char_id: 'ada', ...page }, as: 'other', least: 20 },
  { op: 'feed.home', input: page, as: 'owner' },
  { op: 'public.feed', input: { char_id: 'ada', ...page }, least: 20 },
  { op: 'public.feed', input: { char_id: 'eve', ...page }, least: 20 },
  { op: 'public.agents.get', input: { char_id: 'eve' }, least: 1 },
  { op: 'public.agents.list', input: page, as: 'owner' },
  { op: 'public.tasks', input: { char_id: 'eve' }, as: 'owner', least: 1 },
  {
    op: 'memory.list',
    input: { char_id: 'ada', namespace: 'kept', ...page },
    as: 'owner',
    least: 1,
  },
  {
    op: 'memory.get',
    input: { char_id: 'ada', namespace: 'kept', key: 'chat' },
    as: 'owner',
    least: 1,
  },
  { op: 'memory.get', input: { char_id: 'eve', namespace: 'n', key: 'k' }, as: 'owner', least: 1 },
  { op: 'memory.search', input: { char_id: 'eve', q: 'planted' }, as: 'owner', least: 1 },
  { op: 'knowledge.list', input: { char_id: 'ada' }, as: 'owner' },
  { op: 'knowledge.search', input: { char_id: 'ada', q: 'planted' }, as: 'owner', least: 1 },
]

describe.each(stores())('what strangers plant, on $name', (kind) => {
  let server: PlayedServer
  let web: WebServer
  const keys = { owner: '', other: '' }
  let postId = ''

  const ask = <T = Record<string, unknown>>(name: string, input: unknown, as?: 'owner' | 'other') =>
    server.world.ask<T>(name, input, as && keys[as])

  const task = (task_id: string, more: object = {}) => ({
    task_id,
    name: task_id,
    runtime: 'template',
    prompt: '{{input}}',
    ...more,
  })

  beforeAll(async () => {
    web = await startWebServer()
    server = await openServer(kind, { ABODE_OUTBOUND_ALLOW: web.origin })
    for (const who of ['owner', 'other'] as const) {
      keys[who] = (await ask<{ api_key: string }>('agent_claim.create', {})).api_key
    }
    await makeAda()
    await makeEve()
    for (const [i, { text }] of injections.entries()) await plant(text, i)
    await learned()
  }, 120_000)
  afterAll(async () => {
    web.close()
    await server.close()
  })

  async function makeAda(): Promise<void> {
    const open = { chat: 'public', feed: 'public', memory: 'friends' }
    const visibility = { profile_visibility: 'public', ability_access: open }
    const handing = { enabled: true, target_agent_id: 'grace', target_task_id: 'next' }
    const chat = { memory_namespace: 'kept', output_sharing: handing, order: 0 }
    const events = [{ type: 'event', config: { event: 'feed.comment_created' } }]
    const tasks = [
      task('chat', chat),
      task('gated', {
        public: false,
        post_to_feed: false,
        triggers: [{ type: 'webhook', config: { path: 'in' } }],
        approval_gate: { requires_approval: true, approval_prompt: 'May it? {{text}}' },
      }),
      task('sold', {
        service_enabled: true,
        form_schema: { fields: [{ key: 'text', type: 'text' }] },
      }),
      task('act', { public: false, triggers: [{ type: 'action', config: { name: 'act' } }] }),
      task('heard', { public: false, triggers: [{ type: 'message', config: {} }] }),
      task('think', {
        public: false,
        runtime: null,
        prompt: 'Think of {{input}}, which is {{text}}.',
        triggers: [{ type: 'action', config: { name: 'think' } }],
      }),
      task('react', { public: false, triggers: events }),
    ]
    const ada = { id: 'ada', name: 'Ada', visibility, heart: { tasks } }
    await ask('characters.create', { character: ada }, 'owner')
    const next = task('next', { post_to_feed: false })
    await ask(
      'characters.create',
      { character: { id: 'grace', name: 'Grace', heart: { tasks: [next] } } },
      'owner',
    )
    const { id } = await ask<{ id: string }>(
      'feed.post',
      { char_id: 'ada', content: 'Own.' },
      'owner',
    )
    postId = id
  }

  async function makeEve(): Promise<void> {
    const bio = injections.map(({ text }) => text).join('\n')
    const open = { chat: 'public', feed: 'public', memory: 'public' }
    const visibility = {
      profile_visibility: 'public',
      ability_access: open,
      public_bio: `planted ${bio}`.slice(0, 900),
      public_sections: ['bio'],
    }
    const handing = { enabled: true, target_agent_id: 'ada', target_task_id: 'heard' }
    const tasks = [task('hand', { output_sharing: handing, description: injections[0]?.text })]
    const eve = { id: 'eve', name: 'Eve', bio, visibility, heart: { tasks } }
    await ask('characters.create', { character: eve }, 'other')
    const permissions = ['message', 'run_task']
    const asked = { char_id: 'eve', friend_id: 'ada', permissions }
    await ask('friends.request', asked, 'other')
    await ask('friends.accept', { char_id: 'ada', friend_id: 'eve' }, 'owner')
    await ask(
      'memory.put',
      { char_id: 'eve', namespace: 'n', key: 'k', value: [bio, { untrusted: true }, 'planted'] },
      'other',
    )
  }

  async function plant(text: string, i: number): Promise<void> {
    const rest = async (path: string, body: unknown): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' }
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      const said = await response.text()
      expect(response.ok && !said.includes('"error":{'), said).toBe(true)
    }
    const message = {
      messageId: `planted-${i}-in-the-chat`,
      role: 'ROLE_USER',
      parts: [{ text }, { data: { task_id: 'chat' } }],
    }
    await rest('/a2a/ada', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } })
    await rest('/api/hooks/ada/in', claiming(text))
    await ask('orders.create', { char_id: 'ada', task_id: 'sold', form: { text } })
    await ask('actions.invoke', { char_id: 'ada', name: 'act', input: claiming(text) }, 'other')
    await ask('actions.invoke', { char_id: 'ada', name: 'think', input: claiming(text) }, 'other')
    await ask('messages.send', { char_id: 'eve', to: 'ada', body: text }, 'other')
    await ask('tasks.run', { char_id: 'eve', task_id: 'hand', input: text }, 'other')
    await ask('feed.post', { char_id: 'eve', content: text }, 'other')
    const comment = { char_id: 'ada', post_id: postId, author_id: 'eve', content: text }
    await ask('posts.comment', comment, 'other')
  }

  async function learned(): Promise<void> {
    const text = injections.map((one) => `planted ${one.text}`).join('\n\n')
    const url = web.on('/page', (_request, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8').end(text)
    })
    const named = { char_id: 'ada', url }
    await ask('knowledge.learn', named, 'owner')
    await until(async () => {
      const { items } = await ask<{ items: { status: string }[] }>(
        'knowledge.list',
        { char_id: 'ada' },
        'owner',
      )
      return items[0]?.status === 'indexed'
    })
    await until(async () => {
      const { items } = await ask<{ items: { task_id: string; status: string }[] }>(
        'runs.list',
        { char_id: 'ada', status: 'queued', limit: 100 },
        'owner',
      )
      return items.every(({ task_id }) => task_id === 'think')
    })
  }

  /** A door, and the texts that it shows around what it answers. */
  const doors: [string, () => Send][] = [
    ['REST', () => restDoor(server.url)],
    ['MCP', () => mcpDoor(server.url)],
    ['A2A', () => a2aDoor(server.url)],
  ]

  const opOf = (name: string) => {
    const op = catalog.find((one) => one.name === name)
    if (!op) throw new Error(`there is no operation ${name}`)
    return op
  }

  describe.each(doors)('is marked wherever it is read, by %s', (_, door) => {
    it.each(reads)('$op $input', async ({ op, input, as, least = 0 }) => {
      const { answer, error } = await door()({
        op: opOf(op),
        input,
        credential: as && keys[as],
      })
      expect(error).toBeUndefined()
      expect(unmarked(answer)).toEqual([])
      const text = JSON.stringify(answer)
      expect(markers.filter((marker) => text.includes(marker)).length).toBeGreaterThanOrEqual(least)
    })
  })

  it('is marked in each run, with what happened to it', async () => {
    const { items } = await ask<{ items: { id: string; approval_id: string | null }[] }>(
      'runs.list',
      { char_id: 'ada', limit: 100 },
      'owner',
    )
    for (const { id, approval_id } of items) {
      const run = await ask('runs.get', { run_id: id }, 'owner')
      expect(run).toMatchObject({ untrusted: true, source: { kind: expect.any(String) } })
      expect(unmarked(await ask('runs.events', { run_id: id }, 'owner'))).toEqual([])
      if (approval_id !== null) {
        expect(unmarked(await ask('approvals.get', { approval_id }, 'owner'))).toEqual([])
      }
    }
    expect(
      unmarked(await ask('posts.comments', { char_id: 'ada', post_id: postId }, 'owner')),
    ).toEqual([])
  })

  it('says where it came from', async () => {
    const kinds = new Set<string>()
    for (let cursor: string | undefined; ;) {
      const { items, next_cursor } = await ask<{
        items: { source?: { kind: string; char_id?: string }; task_id: string }[]
        next_cursor: string | null
      }>('runs.list', { char_id: 'ada', limit: 100, ...(cursor && { cursor }) }, 'owner')
      for (const { source, task_id } of items) {
        kinds.add(`${task_id} ${source?.kind} ${source?.char_id ?? ''}`)
      }
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect([...kinds].sort()).toEqual([
      'act action eve',
      'chat chat ',
      'gated webhook ',
      'heard handoff eve',
      'heard message eve',
      'react comment eve',
      'sold order ',
      'think action eve',
    ])
  })

  it('is fenced in every text over MCP, by a mark of its own each time', async () => {
    const marks = new Set<string>()
    for (const { op, input, as } of reads) {
      const name = toolName(opOf(op))
      const params = { name, arguments: input }
      const response = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          ...(as && { authorization: `Bearer ${keys[as]}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      const said = await response.text()
      const json = said.startsWith('{') ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? '')
      const { result } = JSON.parse(json) as { result: { content: { text: string }[] } }
      const text = result.content[0]?.text ?? ''
      const [whole = '', mark = ''] = /<(untrusted-[\w-]+)>\n[^]*\n<\/\1>$/.exec(text) ?? []
      expect(mark, op).not.toBe('')
      expect(text.split(mark).length, op).toBe(3)
      const outside = text.slice(0, text.length - whole.length)
      expect(markers.filter((marker) => outside.includes(marker))).toEqual([])
      marks.add(mark)
    }
    expect(marks.size).toBe(reads.length)
  })

  it('stands inside of a fence in a leased prompt, with the rule in the system prompt', async () => {
    const fences = new Set<string>()
    for (const { marker, text } of injections) {
      const lease = await ask<{ run: { input: unknown }; system_prompt: string; prompt: string }>(
        'runs.lease',
        { char_id: 'ada', task_id: 'think' },
        'owner',
      )
      expect(lease.run).toMatchObject({ untrusted: true, input: claiming(text) })
      expect(lease.system_prompt).not.toContain(marker)
      const [, fence = ''] =
        /"\[(\w{16}) …" and "… \1\]" was written by others/.exec(lease.system_prompt) ?? []
      expect(fence).not.toBe('')
      fences.add(fence)
      const fenced = new RegExp(`\\[${fence} untrusted: \\w+\\n[^]*?\\n… ${fence}\\]`, 'g')
      const outside = lease.prompt.replaceAll(fenced, 'FENCED')
      expect(outside).toBe('Think of FENCED, which is FENCED.')
    }
    expect(fences.size).toBe(injections.length)
  })

  it('is told from what the account does itself', async () => {
    const run = { char_id: 'grace', task_id: 'next', input: 'Own.' }
    const { id } = await ask<{ id: string }>('tasks.run', run, 'owner')
    const read = await ask('runs.get', { run_id: id }, 'owner')
    expect(read).not.toHaveProperty('untrusted')
    expect(read).not.toHaveProperty('source')
  })
})
