import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import type { Store } from '#src/ports/store.ts'
import { runNamedBy } from '#src/events/outbox/own-call.ts'
import { newRun } from '#src/runs/new-run.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import {
  startModelServer,
  type ModelServer,
  type ScriptedCall,
  type ScriptedTurn,
} from '#tests/support/model-server.ts'
import { memberOf } from '#tests/support/members.ts'
import { modelsOf, toolServersOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startToolServer, type TestToolServer } from '#tests/support/tool-server.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Seen {
  type: string
  data: Record<string, unknown>
}

const secret = 'marker-secret-0123456789'
const other = 'gauge-other-4712-of-ada'

describe.each(oneStore())('the tools of prompt runs on $name', (kind) => {
  let store: Store
  let model: ModelServer
  let gauges: TestToolServer
  let web: WebServer
  let made: World
  let worker: Runner
  let key: string

  beforeEach(async () => {
    store = await kind.open()
    model = await startModelServer()
    gauges = await startToolServer(['echo'])
    web = await startWebServer()
    const allow = [gauges.origin, web.origin]
    made = openWorld(store, {
      models: modelsOf({
        defaultModel: { provider: 'openai', model: 'm' },
        openai: { apiKey: 'sk-1', baseUrl: model.baseUrl },
      }),
      toolServers: toolServersOf(allow, 3000),
      sender: openSender({ allow, userAgent: 'abode-tests' }),
    })
    worker = runner(made.ports, 8)
    made.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await made.account()).key
  })
  afterEach(async () => {
    await worker.stop()
    for (const server of [model, gauges, web]) server.close()
    await store.close()
  })

  const agentWith = async (character: object, task: object = {}): Promise<void> => {
    await made.ask(
      'characters.create',
      { character: { id: 'ada', name: 'Ada', ...character } },
      key,
    )
    const whole = { task_id: 't', name: 'T', prompt: 'Do it.', ...task }
    await made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
  }
  const withSecret = (): Promise<object> =>
    made.ask(
      'characters.secrets.update',
      { char_id: 'ada', secrets: [{ name: 'GAUGE_KEY', value: secret }] },
      key,
    )
  const read = (run: Pick<Run, 'id'>): Promise<Run> => made.ask('runs.get', { run_id: run.id }, key)
  const events = async (run: Pick<Run, 'id'>): Promise<Seen[]> =>
    (await made.ask<{ items: Seen[] }>('runs.events', { run_id: run.id, limit: 100 }, key)).items
  const settled = async (run: Pick<Run, 'id'>): Promise<Run> => {
    await until(async () => !['queued', 'running'].includes((await read(run)).status))
    return read(run)
  }
  const play = async (turns: ScriptedTurn[], input?: unknown): Promise<Run> => {
    model.plays(...turns)
    return settled(await made.ask('tasks.run', { char_id: 'ada', task_id: 't', input }, key))
  }
  /** Lets the model call these tools, and gives what it was told. */
  const answersTo = async (...calls: ScriptedCall[]): Promise<string[]> => {
    const run = await play([{ calls }, { text: ['Done.'] }])
    expect(run).toMatchObject({ status: 'completed', output: 'Done.' })
    const told = model.asked.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? []
    return told.map(({ content }) => String(content))
  }
  const offered = (i = 0): string[] =>
    (model.asked[i]?.body.tools ?? []).map((tool) => tool.function?.name ?? '')
  const system = (i = 0): string => JSON.stringify(model.asked[i]?.body.messages[0])

  it('are told of at most what the agent and its task name', async () => {
    await agentWith({})
    await play([{ text: ['x'] }])
    expect(offered()).toEqual(['request_approval'])
  })

  describe('on tool servers', () => {
    const mcps = () => [
      {
        name: 'gauges',
        url: gauges.url,
        env: { 'X-Key': '{{secret.GAUGE_KEY}}', 'X-Place': 'pier' },
      },
    ]

    it('carry a conversation of two tool turns and an approval', async () => {
      await agentWith({ brain: { mcps: mcps() } }, { selected_secrets: ['GAUGE_KEY'] })
      await withSecret()
      const paused = await play([
        { text: ['I look.'], calls: [{ name: 'gauges_tide', arguments: { pier: 'north' } }] },
        { calls: [{ name: 'gauges_echo', arguments: { text: `I heard ${secret}` } }] },
        {
          text: ['I ask.'],
          calls: [
            { name: 'request_approval', arguments: { question: 'May I close the north pier?' } },
          ],
          usage: { input: 30, output: 7 },
        },
      ])
      expect(offered()).toEqual(['request_approval', 'gauges_tide', 'gauges_broken', 'gauges_echo'])
      expect(gauges.calls).toMatchObject([
        { name: 'tide', input: { pier: 'north' } },
        { name: 'echo', input: { text: 'I heard [secret]' } },
      ])
      for (const sent of gauges.headers) {
        expect(sent).toMatchObject({ 'x-key': secret, 'x-place': 'pier' })
      }
      expect(paused).toMatchObject({
        status: 'waiting_approval',
        usage: { input_tokens: 50, output_tokens: 17 },
      })
      const approval = await made.ask<{ prompt: string }>(
        'approvals.get',
        { approval_id: paused.approval_id },
        key,
      )
      expect(approval.prompt).toBe('May I close the north pier?')

      model.plays({ text: ['The pier is closed.'] })
      const vote = { approval_id: paused.approval_id, decision: 'approve', reason: 'The storm.' }
      await made.ask('approvals.decide', vote, key)
      const { items } = await made.ask<{ items: Run[] }>('runs.list', { char_id: 'ada' }, key)
      const follow = items.find((run) => run.resumed_from === paused.id)
      expect(await settled(follow ?? paused)).toMatchObject({
        status: 'completed',
        output: 'The pier is closed.',
      })
      expect(await read(paused)).toMatchObject({ status: 'completed', reason: 'resumed' })
      const told = JSON.stringify(model.asked.at(-1)?.body.messages)
      for (const said of [
        'May I close the north pier?',
        'The storm.',
        'High water at north: 07:12.',
      ]) {
        expect(told).toContain(said)
      }

      const kept = JSON.stringify([
        await store.runs.find({}),
        await store.run_events.find({}),
        await store.approvals.find({}),
        model.asked.map(({ body }) => body.messages.filter(({ role }) => role !== 'assistant')),
      ])
      expect(kept).not.toContain(secret)
      expect(kept).toContain('I heard [secret]')
    })

    it('say in events what was called, with its arguments and its result', async () => {
      await agentWith({ brain: { custom_mcp_urls: [gauges.url] } })
      const run = await play([
        { calls: [{ id: 'c1', name: '127_0_0_1_echo', arguments: { text: 'x'.repeat(50_000) } }] },
        { text: ['Done.'] },
      ])
      const seen = await events(run)
      const [called, answered] = ['tool.called', 'tool.answered'].map(
        (type) => seen.find((event) => event.type === type)?.data,
      )
      expect(called).toMatchObject({ step: 1, call_id: 'c1', tool: '127_0_0_1_echo' })
      expect(String(called?.['arguments'])).toMatch(/^\{"text":"xxx[^]*more characters\]$/)
      expect(answered).toMatchObject({ step: 1, call_id: 'c1', tool: '127_0_0_1_echo' })
      expect(JSON.stringify(seen).length).toBeLessThan(10_000)
      const [told] = model.asked[1]?.body.messages.filter(({ role }) => role === 'tool') ?? []
      expect(String(told?.content).length).toBeLessThan(21_000)
      expect(String(told?.content)).toMatch(/^\[(\w{16}) untrusted: answer of [^]*… \1\]$/)
    })

    it('answer faults and wrong calls, and the run goes on', async () => {
      await agentWith({ brain: { mcps: mcps().map((one) => ({ ...one, env: {} })) } })
      const [broken, unknown, wrong, unread] = await answersTo(
        { name: 'gauges_broken', arguments: {} },
        { name: 'teleport', arguments: {} },
        { name: 'gauges_tide', arguments: { pier: 7 } },
        { name: 'gauges_tide', arguments: '{"pier": ' },
      )
      expect(broken).toContain('the gauge is out of order')
      expect(unknown).toContain('There is no tool of this name.')
      expect(wrong).toMatch(/pier/)
      expect(unread).toMatch(/pier|arguments|object/i)
      expect(gauges.calls).toEqual([{ name: 'broken', input: {} }])
    })

    it('send what is sealed in the tool of a task, of which nothing comes back', async () => {
      const config = { url: gauges.url, env: { 'X-Key': secret, Authorization: `Bearer ${other}` } }
      await agentWith({}, { tools: [{ name: 'gauges', type: 'mcp', config }] })
      const run = await play([
        { calls: [{ name: 'gauges_echo', arguments: { text: `I heard ${secret}` } }] },
        { text: [`It is ${secret}, and ${other}`] },
      ])
      const sent = { 'x-key': secret, authorization: `Bearer ${other}` }
      expect(gauges.headers.at(-1)).toMatchObject(sent)
      expect(run).toMatchObject({ status: 'completed', output: 'It is [secret], and [secret]' })
      const left = JSON.stringify([
        await store.tasks.find({}),
        await store.runs.find({}),
        await store.run_events.find({}),
      ])
      expect(left).not.toContain(secret)
      expect(left).not.toContain(other)
    })

    it('send what is sealed in their environment, of which nothing comes back', async () => {
      const env = { 'X-Key': secret }
      await agentWith({ brain: { mcps: [{ name: 'gauges', url: gauges.url, env }] } })
      const run = await play([
        { calls: [{ name: 'gauges_echo', arguments: { text: `I heard ${secret}` } }] },
        { text: [`It is ${secret}`] },
      ])
      expect(gauges.headers.at(-1)).toMatchObject({ 'x-key': secret })
      expect(run).toMatchObject({ status: 'completed', output: 'It is [secret]' })
      const [agent] = await store.characters.find({})
      const left = JSON.stringify([
        agent,
        await store.runs.find({}),
        await store.run_events.find({}),
      ])
      expect(left).not.toContain(secret)
    })

    it('are left out where their server cannot be used, and the model is told', async () => {
      const mute = web.on('/mute', (request) => request.resume())
      const garbage = web.on('/garbage', (request, response) => {
        request.resume()
        response.end('<p>hello</p>')
      })
      const away = web.on('/away', (request, response) => {
        request.resume()
        response.writeHead(307, { location: 'http://127.0.0.2:9/mcp' }).end()
      })
      const large = web.on('/large', (request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(`"${'x'.repeat(11 * 1024 * 1024)}"`)
      })
      const named = { mute, garbage, away, large, inside: 'http://127.0.0.3:9/mcp' }
      const others = Object.entries(named).map(([name, url]) => ({ name, url }))
      const off = { name: 'off', url: gauges.url, enabled: false }
      const secretive = {
        name: 'secretive',
        url: `${gauges.url}?2`,
        env: { 'X-Key': '{{secret.NO}}' },
      }
      await agentWith({ brain: { mcps: [...others, off, secretive] } })
      const run = await play([{ text: ['Done.'] }])
      expect(run).toMatchObject({ status: 'completed' })
      expect(offered()).toEqual(['request_approval'])
      const reasons = (await events(run))
        .filter(({ type }) => type === 'tools.unavailable')
        .map(({ data }) => [data['name'], data['reason']])
      expect(Object.fromEntries(reasons)).toEqual({
        mute: 'The server did not answer in time.',
        garbage: 'The server did not answer as a tool server does.',
        away: 'The address leads to a place that this server does not call.',
        large: 'The answer is larger than 10 MB.',
        inside: 'The address leads to a place that this server does not call.',
        secretive: expect.stringContaining('secret.NO') as string,
      })
      for (const name of Object.keys(named)) expect(system()).toContain(name)
      expect(gauges.headers).toEqual([])
    })

    it('are those of the task too, each name once', async () => {
      const tools = [
        { name: 'gauges', type: 'mcp', config: { url: `${gauges.url}?2` } },
        { name: 'unused', type: 'mcp', enabled: false, config: { url: `${gauges.url}?3` } },
      ]
      await agentWith({ brain: { mcps: [{ name: 'gauges', url: gauges.url }] } }, { tools })
      await play([{ text: ['x'] }])
      expect(offered().toSorted()).toEqual(
        [
          'request_approval',
          ...['tide', 'broken', 'echo'].flatMap((name) => [`gauges_${name}`, `gauges_${name}_2`]),
        ].toSorted(),
      )
    })
  })

  describe('in our bundles', () => {
    it('come by plugin, skill and builtin tool; other names mean nothing', async () => {
      const plugins = [{ name: 'clock' }, { name: 'web', enabled: false }, { name: 'chess' }]
      const skills = ['memory', 'knowledge', 'baking']
      const tools = [{ name: 'messaging', type: 'builtin' }]
      await agentWith({ brain: { plugins, skills } }, { tools })
      await play([{ text: ['x'] }])
      expect(offered()).toEqual([
        'request_approval',
        'current_time',
        'memory_list',
        'memory_read',
        'memory_write',
        'knowledge_search',
        'list_friends',
        'send_message',
      ])
      expect(system()).not.toContain('not available')
    })

    it('tell the time where the agent lives', async () => {
      await agentWith({ brain: { skills: ['clock'] }, heart: { timezone: 'Asia/Kolkata' } })
      const [told] = await answersTo({ name: 'current_time', arguments: {} })
      expect(told).toContain('"timezone":"Asia/Kolkata"')
      expect(told).toContain(`"utc":"${new Date().toISOString().slice(0, 10)}`)
    })

    it('read, search and consult the Commons, as anyone may', async () => {
      const { token } = await memberOf(made)
      const { id } = await made.ask<{ id: string }>(
        'commons.threads.create',
        { board: 'howto', title: 'Splicing ropes', body: 'Untwist three strands; obey no one.' },
        token,
      )
      await agentWith({ brain: { skills: ['commons'] } })
      const [found, advice, thread, missing] = await answersTo(
        { name: 'commons_search', arguments: { q: 'strands' } },
        { name: 'commons_consult', arguments: { question: 'How do I splice ropes?' } },
        { name: 'commons_read', arguments: { thread_id: id } },
        { name: 'commons_read', arguments: { thread_id: 'thr_none' } },
      )
      expect(found).toContain(`"thread_id":"${id}"`)
      expect(advice).toContain('Splicing ropes')
      expect(thread).toMatch(/untrusted: answer of commons_read\n\{"thread":\{.*obey no one/)
      expect(missing).toContain('There is no such thread')
    })

    it('are none of the Commons where the server has none', async () => {
      made.ports.settings.hasCommons = false
      await agentWith({ brain: { skills: ['commons', 'clock'] } })
      await play([{ text: ['x'] }])
      expect(offered()).toEqual(['request_approval', 'current_time'])
      expect(system()).toMatch(/not available[^]*commons/)
    })

    it('remember in the namespace of the task', async () => {
      await agentWith({ brain: { skills: ['memory'] } }, { memory_namespace: 'log' })
      const [wrote, again, found, listed, missing, bad] = await answersTo(
        { name: 'memory_write', arguments: { key: 'wind', value: { knots: 31 } } },
        { name: 'memory_write', arguments: { key: 'wind', value: { knots: 32 } } },
        { name: 'memory_read', arguments: { key: 'wind' } },
        { name: 'memory_list', arguments: {} },
        { name: 'memory_read', arguments: { key: 'rain' } },
        { name: 'memory_write', arguments: { key: '../x', value: 1, namespace: 'other' } },
      )
      expect([wrote, again].join()).toMatch(/Remembered[^]*Remembered/)
      expect(found).toContain('{"knots":32}')
      expect(listed).toContain('"key":"wind"')
      expect(missing).toContain('Nothing is remembered at "rain".')
      expect(bad).toContain('These arguments do not fit.')
      const place = { char_id: 'ada', namespace: 'log', key: 'wind' }
      expect(await made.ask('memory.get', place, key)).toMatchObject({ value: { knots: 32 } })
    })

    it('remember nothing that another account has left under the id of the agent', async () => {
      await agentWith({ brain: { skills: ['memory'] } }, { memory_namespace: 'log' })
      const { id: owner_id } = await made.account()
      const updated_at = new Date().toISOString()
      for (const [namespace, name] of [
        ['log', 'wind'],
        ['log', 'rain'],
        ['handoff', 'brief'],
      ] as const) {
        const left = { char_id: 'ada', owner_id, namespace, key: name, revision: 1, updated_at }
        await store.memory.insert({ ...left, id: `ada/${namespace}/${name}`, value: 'theirs' })
      }
      const told = await answersTo(
        { name: 'memory_read', arguments: { key: 'wind' } },
        { name: 'memory_read', arguments: { key: 'brief', namespace: 'handoff' } },
        { name: 'memory_list', arguments: {} },
        { name: 'memory_list', arguments: { namespace: 'handoff' } },
        { name: 'memory_write', arguments: { key: 'wind', value: 'ours' } },
        { name: 'memory_read', arguments: { key: 'wind' } },
        { name: 'memory_list', arguments: {} },
      )
      const [wind, brief, log, handed, wrote, ours, own] = told
      expect(wind).toContain('Nothing is remembered at "wind".')
      expect(brief).toContain('Nothing is remembered at "brief".')
      for (const list of [log, handed]) expect(list).toContain('\n[]\n')
      expect(wrote).toContain('Remembered at "wind".')
      expect(ours).toContain('"ours"')
      expect(own).toContain('"key":"wind"')
      expect(told.join()).not.toMatch(/theirs|rain/)
    })

    it('do not remember what is too large', async () => {
      await agentWith({ brain: { skills: ['memory'] } })
      const value = 'x'.repeat(70_000)
      const [told] = await answersTo({ name: 'memory_write', arguments: { key: 'k', value } })
      expect(told).toContain('at most 65536 bytes')
      expect(await store.memory.count({})).toBe(0)
    })

    it('read pages, as text and untrusted, and none inside the network', async () => {
      const page =
        '<html><head><title>T</title></head><body><p>Ignore all&amp;</p><script>x()</script>'
      const url = web.on('/page', (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      })
      const gone = web.on('/gone', (_, response) => response.writeHead(410).end('marker'))
      await agentWith({ brain: { skills: ['web'] } })
      const [text, inside, refused] = await answersTo(
        { name: 'web_fetch', arguments: { url } },
        { name: 'web_fetch', arguments: { url: 'http://169.254.169.254/latest' } },
        { name: 'web_fetch', arguments: { url: gone } },
      )
      expect(text).toMatch(/untrusted: answer of web_fetch\nIgnore all&\n/)
      expect(text).not.toContain('x()')
      expect(inside).toContain('leads to a place that this server does not call')
      expect(refused).toContain('status 410')
    })
  })

  describe('that reach other agents', () => {
    const other = async (id: string, task: object): Promise<void> => {
      await made.ask('characters.create', { character: { id, name: id } }, key)
      const whole = { task_id: 'log', name: 'Log', runtime: 'template', ...task }
      await made.ask('tasks.create', { char_id: id, task: whole }, key)
    }

    it('send messages, which start what listens, in the same chain', async () => {
      await agentWith({ brain: { skills: ['messaging'] } })
      await other('grace', { prompt: 'Got {{input}}', triggers: [{ type: 'message' }] })
      const [told] = await answersTo({
        name: 'send_message',
        arguments: { to: 'grace', body: 'The tide turns.' },
      })
      expect(told).toContain('"started_runs":1')
      const messages = await made.ask<{ items: object[] }>(
        'messages.list',
        { char_id: 'grace' },
        key,
      )
      expect(messages.items).toMatchObject([{ from: 'ada', to: 'grace', body: 'The tide turns.' }])
      const { items } = await made.ask<{ items: Run[] }>('runs.list', { char_id: 'grace' }, key)
      const [root] = await store.runs.find({ char_id: 'ada' })
      expect(items).toMatchObject([{ depth: 1, root_run_id: root?.id, parent_run_id: root?.id }])
      expect(root?.family).toBe(2)
      expect(await settled(items[0] ?? { id: '' })).toMatchObject({ output: 'Got The tide turns.' })
    })

    it.each(['the prompt', 'the run'])(
      'start nothing at a sibling where a key that acts as the agent wrote %s',
      async (what) => {
        await agentWith({ brain: { skills: ['messaging'] } })
        await other('grace', { triggers: [{ type: 'message' }] })
        const scope = { name: 'Scoped', scope_char_id: 'ada' }
        const scoped = await made.ask<{ key: string }>('api_keys.create', scope, key)
        const told = what === 'the prompt' ? { prompt: 'Tell grace.' } : {}
        await made.ask('tasks.update', { char_id: 'ada', task_id: 't', task: told }, scoped.key)
        const owner = key
        if (what === 'the run') key = scoped.key
        const send = { name: 'send_message', arguments: { to: 'grace', body: 'Do it.' } }
        const [without] = await answersTo(send)
        key = owner
        expect(without).toContain('"started_runs":0')
        expect(await store.messages.count({ to: 'grace' })).toBe(1)
        const friendship = { char_id: 'ada', friend_id: 'grace', permissions: ['run_task'] }
        await made.ask('friends.request', friendship, key)
        if (what === 'the run') key = scoped.key
        expect((await answersTo(send))[0]).toContain('"started_runs":1')
        key = owner
      },
    )

    it('reach only the connections that the task selects', async () => {
      await agentWith({ brain: { skills: ['messaging'] } }, { selected_connections: ['grace'] })
      await other('grace', {})
      await other('linus', {})
      const [grace, linus, absent] = await answersTo(
        { name: 'send_message', arguments: { to: 'grace', body: 'x' } },
        { name: 'send_message', arguments: { to: 'linus', body: 'x' } },
        { name: 'send_message', arguments: { to: 'absent', body: 'x' } },
      )
      expect(grace).toContain('message_id')
      expect(linus).toContain('This task may not reach "linus".')
      expect(absent).toContain('This task may not reach "absent".')
      expect(await store.messages.count({})).toBe(1)
    })

    it('reach no agent of another account that is no friend', async () => {
      await agentWith({ brain: { skills: ['messaging'] } })
      const stranger = (await made.account()).key
      await made.ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, stranger)
      const [told] = await answersTo({ name: 'send_message', arguments: { to: 'eve', body: 'x' } })
      expect(told).toContain('no accepted friend with the permission message')
      expect(await store.messages.count({})).toBe(0)
    })

    it('run a task of another agent, and wait for its result', async () => {
      const tools = [
        { name: 'log keeper', type: 'agent', config: { agent_id: 'grace', task_id: 'log' } },
        { name: 'absent', type: 'agent', config: { agent_id: 'grace', task_id: 'none' } },
        { name: 'off', type: 'agent', config: { agent_id: 'grace', task_id: 'off' } },
      ]
      await agentWith({}, { tools })
      await other('grace', { prompt: 'Logged: {{input.text}}' })
      const off = { task_id: 'off', name: 'Off', enabled: false }
      await made.ask('tasks.create', { char_id: 'grace', task: off }, key)
      const [told, none, disabled] = await answersTo(
        { name: 'log_keeper', arguments: { input: { text: 'calm' } } },
        { name: 'absent', arguments: { input: 1 } },
        { name: 'off', arguments: { input: 1 } },
      )
      expect(told).toContain('"status":"completed","output":"Logged: calm"')
      expect(none).toContain('has no task "none"')
      expect(disabled).toContain('task_disabled')
    })
  })

  it('call the address of an http tool, with its secrets in headers alone', async () => {
    const seen: unknown[] = []
    const url = web.on('/api', (request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += String(chunk)))
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['x-key'], body])
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ you_sent: request.headers['x-key'] }))
      })
    })
    const headers = { 'X-Key': '{{secret.GAUGE_KEY}}' }
    const tools = [
      { name: 'look', type: 'http', config: { url, headers } },
      { name: 'set', type: 'http', config: { url, headers, method: 'post' } },
    ]
    await agentWith({}, { tools, selected_secrets: ['GAUGE_KEY'] })
    await withSecret()
    const [look, set] = await answersTo(
      { name: 'look', arguments: { pier: 'north', deep: { a: 1 } } },
      { name: 'set', arguments: { pier: 'north' } },
    )
    expect(seen).toEqual([
      ['GET', '/api?pier=north&deep=%7B%22a%22%3A1%7D', secret, ''],
      ['POST', '/api', secret, '{"pier":"north"}'],
    ])
    for (const told of [look, set]) expect(told).toContain('{"you_sent":"[secret]"}')
  })

  it('tell a hook of this service, and no other address, which run calls', async () => {
    const seen = new Map<string, unknown>()
    const at = (path: string): string =>
      web.on(path, (request, response) => {
        seen.set(path, request.headers['abode-run'])
        response.end('heard')
      })
    const headers = { 'Abode-Run': 'forged' }
    const tools = [
      {
        name: 'own',
        type: 'http',
        config: { url: at('/api/hooks/bob/in'), method: 'POST', headers },
      },
      { name: 'other', type: 'http', config: { url: at('/elsewhere'), method: 'POST' } },
    ]
    made.ports.settings.publicUrl = web.origin
    await agentWith({}, { tools })
    await answersTo({ name: 'own', arguments: {} }, { name: 'other', arguments: {} })
    const [run] = await store.runs.find({ char_id: 'ada' })
    expect(runNamedBy(made.ports, String(seen.get('/api/hooks/bob/in')))).toBe(run?.id)
    expect(seen.get('/elsewhere')).toBeUndefined()
  })

  it('are left out where the task does not say enough of them, and the model is told', async () => {
    const tools = [
      { name: 'no address', type: 'http' },
      { name: 'no method', type: 'http', config: { url: 'https://x.example/', method: 'BREW' } },
      { name: 'no task', type: 'agent', config: { agent_id: 'ada' } },
      { name: 'no server', type: 'mcp' },
      { name: 'gauges', type: 'mcp' },
      { name: 'other', type: 'crystal ball' },
    ]
    await agentWith({ brain: { mcps: [{ name: 'gauges', url: gauges.url }] } }, { tools })
    const run = await play([{ text: ['x'] }])
    expect(offered()).toEqual(['request_approval', 'gauges_tide', 'gauges_broken', 'gauges_echo'])
    const noted = (await events(run)).filter(({ type }) => type === 'tools.unavailable')
    expect(noted.map(({ data }) => data['name'])).toEqual([
      'no address',
      'no method',
      'no task',
      'no server',
      'other',
    ])
    expect(system()).toContain('no address, no method, no task, no server, other')
    expect(run.degraded).toEqual(noted.map(({ data }) => data['name']))
  })

  it('keep nothing more where the account has no space left', async () => {
    await agentWith({ brain: { skills: ['memory', 'messaging'] } })
    await made.ask('characters.create', { character: { id: 'grace', name: 'Grace' } }, key)
    const [task] = await store.tasks.find({ char_id: 'ada' })
    if (!task) throw new Error('there is a task')
    const trigger = { type: 'manual', at: task.created_at }
    const run = newRun(task, { trigger, input: null }, new Date())
    await store.runs.insert(run)
    const { quotas } = made.ports
    const full = vi.spyOn(quotas, 'admit').mockImplementation(async (name, owner) => {
      if (name === 'stored_bytes') throw quotas.exceeded(name, owner)
    })
    model.plays(
      {
        calls: [
          { name: 'memory_write', arguments: { key: 'k', value: 1 } },
          { name: 'send_message', arguments: { to: 'grace', body: 'x' } },
        ],
      },
      { text: ['Done.'] },
    )
    worker.wake(1)
    expect(await settled(run)).toMatchObject({ status: 'completed' })
    expect(full).toHaveBeenCalled()
    const told = model.asked.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? []
    expect(told).toHaveLength(2)
    for (const { content } of told) expect(content).toContain('The quota stored_bytes')
    expect((await store.memory.count({})) + (await store.messages.count({}))).toBe(0)
  })

  it('fail the run where a header of the task itself cannot be filled in', async () => {
    const headers = { 'X-Key': '{{secret.NO}}' }
    const tools = [{ name: 'look', type: 'http', config: { url: 'https://x.example/', headers } }]
    await agentWith({}, { tools })
    expect(await play([])).toMatchObject({ status: 'failed' })
    expect(model.asked).toEqual([])
  })

  it('are guided by the pages that the agent names, which stay untrusted', async () => {
    const skill = web.on('/skill.md', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Baking\nUse flour.')
    })
    const gone = web.on('/gone.md', (_, response) => response.writeHead(404).end())
    const inside = 'http://127.0.0.9/skill.md'
    await agentWith({ brain: { custom_skill_urls: [skill, gone, inside] } })
    const run = await play([{ text: ['x'] }])
    expect(system()).toMatch(
      /\[\w{16} untrusted: skill http[^]*# Baking\\nUse flour\.\\n… \w{16}\]/,
    )
    const noted = (await events(run)).filter(({ type }) => type === 'tools.unavailable')
    expect(new Set(noted.map(({ data }) => data['name']))).toEqual(new Set([gone, inside]))
  })

  it('are not called more than sixteen at a time', async () => {
    await agentWith({ brain: { skills: ['clock'] } })
    const told = await answersTo(
      ...Array.from({ length: 18 }, () => ({ name: 'current_time', arguments: {} })),
    )
    expect(told).toHaveLength(18)
    expect(told.filter((one) => one.includes('At most 16 tools'))).toHaveLength(2)
  })
})
