import { createHmac, hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { solved } from '#tests/support/members.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { formsOf } from './leaks/forms.ts'
import { leakyTools, toldBy } from './leaks/leaky-tools.ts'
import { harmless, plant, shelf, trigger, webhook } from './leaks/plant.ts'
import { remainsOf, type Remain } from './leaks/remains.ts'
import { Visitor } from './leaks/visitor.ts'

const operator = 'mk-operator/4813+hijkl'
const masterKey = hash('sha256', 'a master key of the tests', 'hex')
const everything = [...Object.values(shelf), trigger, webhook, operator]
const blurted = Object.values(shelf).flatMap(formsOf).join('\n')
const quoted = `${blurted}\n${formsOf(operator).join('\n')}`

describe.each(stores())('secrets in all places on $name', (kind) => {
  let place: Place
  let web: WebServer
  let model: ModelServer
  let server: ServerProcess
  let visitor: Visitor
  /** Tokens that are told once, where they are made. */
  const tokens: string[] = []
  const seen: string[] = []

  beforeAll(async () => {
    place = await kind.place()
    web = await startWebServer()
    model = await startModelServer()
    server = await startServer({
      dataDir: place.folder,
      env: {
        ABODE_LOG_LEVEL: 'debug',
        ABODE_POW_BITS: '2',
        ABODE_MASTER_KEY: masterKey,
        ABODE_OUTBOUND_ALLOW: `${web.origin},${model.origin}`,
        ABODE_DEFAULT_MODEL: 'openai/m',
        OPENAI_API_KEY: operator,
        OPENAI_BASE_URL: model.baseUrl,
        ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
      },
    })
    visitor = new Visitor(server)
    web.on('/echo', (request, response) => {
      seen.push(toldBy(request))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ told: toldBy(request), blurted, [shelf.SHELF]: [blurted] }))
    })
    web.on('/down', (request, response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(toldBy(request) + blurted),
    )
    web.on('/sink', (request, response) => response.end(toldBy(request) + blurted))
  })
  afterAll(async () => {
    web.close()
    model.close()
    await server.dispose()
    await place.remove()
  })

  const once = { tells: true }
  const run = (char_id: string, task_id: string, more: object = {}) =>
    visitor.ask('POST', `/api/characters/${char_id}/tasks/${task_id}/run`, {
      wait_seconds: 30,
      ...more,
    })
  const look = (path: string) => visitor.ask('GET', path)

  it('are made and told once', async () => {
    const claim = await visitor.ask('POST', '/api/agent-claim', {}, once)
    visitor.key = String(claim['api_key'])
    const code = String(claim['claim_url']).split('/').at(-1) ?? ''
    tokens.push(visitor.key, String(claim['token']), code)
    await visitor.ask('GET', `/api/agent-claim/status?token=${claim['token']}`, undefined, once)
    const created = [
      await visitor.ask('POST', '/api/api-keys/', { name: 'A' }, once),
      await visitor.tool('api_keys_create', { name: 'B' }, true),
      await visitor.rpc('/a2a', 'api_keys.create', { name: 'C' }, true),
      await visitor.message('api_keys.create', { name: 'D' }, true),
    ]
    const { data } = await look('/api/commons/challenge')
    const { challenge, bits } = data as unknown as { challenge: string; bits: number }
    const counter = solved(challenge, bits)
    const joined = await visitor.ask(
      'POST',
      '/api/commons/identities',
      { challenge, counter },
      once,
    )
    const found = JSON.stringify([created, joined]).match(/(?:ab|cmn)_[0-9A-Za-z]{38}/g) ?? []
    expect(new Set(found).size).toBe(5)
    tokens.push(...new Set(found))
    await look('/api/api-keys/')
    await look('/api/account')
    await visitor.rpc('/a2a', 'ListTasks', {})
    await look(`/api/account?access_token=${visitor.key}`)
    await visitor.ask('POST', '/api/api-keys/', { nonsense: visitor.key, name: trigger })
  })

  it('are put wherever there is a place for one', async () => {
    await plant(visitor, {
      origin: web.origin,
      toolServer: leakyTools(web),
      modelUrl: model.baseUrl,
    })
    await run('app--a', 'hear', { input: 'x' })
    await visitor.ask('POST', '/api/agent-apps/app/rollback', { revision: 1 })
  })

  it('are blurted out by what runs call', async () => {
    for (const task_id of ['echo', 'down', 'sink']) {
      const made = await run('ada', task_id)
      expect(made['status'], JSON.stringify(made)).toBe(task_id === 'down' ? 'failed' : 'completed')
      await look(`/api/runs/${made['id']}/events`)
    }
    expect(seen.join()).toContain(shelf.SHELF)
    const body = JSON.stringify({ x: 1 })
    for (const by of [createHmac('sha256', trigger).update(body).digest('hex'), trigger]) {
      const headers = { 'x-service-signature': by }
      await visitor.ask('POST', '/api/hooks/ada/in', { x: 1 }, { headers })
    }
  })

  it('are blurted out by a model and its tools', async () => {
    const key = shelf.OPENAI_API_KEY
    const pieces = [key.slice(0, 9), key.slice(9), ` ${blurted.slice(0, 50)}`, blurted.slice(50)]
    model.plays(
      {
        text: pieces,
        calls: [
          { name: 'memory_write', arguments: { key: 'note', value: { [key]: blurted } } },
          { name: 'send_message', arguments: { to: 'bea', body: blurted } },
          { name: 'call', arguments: { q: blurted } },
          { name: 'leaky_leak', arguments: { q: blurted } },
          { name: blurted.slice(0, 60), arguments: blurted },
        ],
      },
      { text: [blurted] },
    )
    const thought = await run('ada', 'think')
    expect(thought['status'], JSON.stringify(thought)).toBe('completed')
    expect(model.asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
    await look(`/api/runs/${thought['id']}/events`)
    model.plays({
      text: ['x'],
      calls: [{ name: 'request_approval', arguments: { question: blurted } }],
    })
    await run('ada', 'think')
    await look('/api/approvals')
    model.plays({ status: 401, message: quoted }, { status: 400, message: quoted })
    await run('ada', 'think')
    await run('ada', 'think')
    // Later turns hold what the model itself has said.
    const [first, second] = model.asked.map(({ body }) => body)
    const answers = second?.messages.filter(({ role }) => role === 'tool')
    expect(answers).toHaveLength(5)
    // The last names the tool that the model has made up.
    const told = Buffer.from(JSON.stringify([first, answers?.slice(0, -1)]))
    expect(whereIs(everything, [['the model', told]])).toEqual([])
  })

  it('are blurted out by a worker that leases a run', async () => {
    const lease = async () => {
      const leased = await visitor.ask('POST', '/api/runs/lease', { wait_seconds: 30 }, once)
      const { run: held, lease_token } = leased as unknown as {
        run: { id: string }
        lease_token: string
      }
      tokens.push(lease_token)
      return { run_id: held.id, lease_token }
    }
    const all = (): string => [blurted, ...tokens].join('\n')
    await run('cora', 'lead', { wait_seconds: 0 })
    const first = await lease()
    const artifacts = [
      {
        name: shelf.BRAIN,
        content: all(),
        url: `https://a.example/?q=${encodeURIComponent(shelf.BRAIN)}`,
      },
    ]
    const output = { [shelf.BRAIN]: [all()] }
    await visitor.rpc('/a2a', 'runs.complete', { ...first, output, artifacts })
    await look(`/api/runs/${first.run_id}/events`)
    await run('cora', 'lead', { wait_seconds: 0 })
    const second = await lease()
    const error = { code: shelf.BRAIN, message: all().slice(0, 1900) }
    await visitor.tool('runs_fail', { ...second, error })
    await look(`/api/runs/${second.run_id}`)
    await visitor.ask('POST', '/api/ai/generate', {
      character_id: 'cora',
      field: 'bio',
      lease: true,
    })
    await visitor.ask('POST', `/api/runs/${(await generating()).run_id}/cancel`, {})

    async function generating() {
      const third = await lease()
      await visitor.tool('runs_complete', { ...third, output: tokens.join(' ') })
      return third
    }
  })

  it('are blurted out by a model that writes a profile', async () => {
    const writes = { character_id: 'bea', field: 'bio' }
    model.plays(
      { text: [JSON.stringify({ value: `I am ${tokens.join(' ')}` })] },
      { status: 401, message: quoted },
      { status: 400, message: quoted },
      { status: 400, message: quoted },
      { status: 429, message: quoted },
      { raw: `data: ${JSON.stringify(quoted)}\n\n` },
    )
    for (let i = 0; i < 5; i++) await visitor.tool('ai_generate', writes)
  })

  it('are scattered as far as they go', async () => {
    const open = ['queued', 'running']
    const isQuiet = async (): Promise<boolean> => {
      const { items } = (await look('/api/runs?limit=100')) as unknown as {
        items: { status: string }[]
      }
      return items.every(({ status }) => !open.includes(status))
    }
    await until(isQuiet, { pauseMs: 100 })
    const memory = (path: string) => look(`/api/characters/${path}`)
    const heard = () => memory('ada/memory/heard/after_run')
    await until(async () => (await heard())['value'] !== undefined, { pauseMs: 100 })
    for (const path of [
      'ada/memory/kept/echo',
      'ada/memory/kept/note',
      'bea/memory/handoff/handed',
      'ada/memory/kept',
      'ada',
      'ada/export',
      'ada/revisions',
      'ada/messages',
      'bea/messages',
      'ada/posts',
      'ada/tasks',
    ]) {
      await memory(path)
    }
    await look('/api/agent-apps/app/deliveries')
    await look('/api/account/inbox')
    await look('/api/public/agents/ada')
    await visitor.rpc('/a2a', 'ListTasks', {})
    const thread = { board: 'ask', title: 'Is it safe?', body: `Here it is: ${tokens.join(' ')}` }
    const handle = tokens.find((token) => token.startsWith('cmn_'))
    const posted = await visitor.ask('POST', '/api/commons/threads', thread, { key: handle })
    expect(posted['error']).toMatchObject({ code: 'secret_detected' })
  })

  it('are in no answer but the one that makes them, in no log line, and in nothing that is kept', async () => {
    await server.end('SIGKILL')
    const remains: Remain[] = [
      ...(await remainsOf(place)),
      ['the log', Buffer.from(server.lines.join('\n'))],
    ]
    const answers = visitor.visits.map(({ text, path }): Remain => [path, Buffer.from(text)])
    const quiet = visitor.visits
      .filter(({ tells }) => !tells)
      .map(({ text, path }): Remain => [path, Buffer.from(text)])
    expect(whereIs([harmless], [...remains, ...answers]).length).toBeGreaterThan(2)
    expect(Buffer.concat(quiet.map(([, bytes]) => bytes)).includes('[secret]')).toBe(true)
    // It has come as far as that, and was taken out there.
    for (const name of [
      'memory',
      'messages',
      'runs',
      'run_events',
      'deliveries',
      'posts',
      'approvals',
    ]) {
      const rows = remains.find(([remain]) => remain === `the rows of ${name}`)
      expect(rows?.[1].includes('[secret]'), name).toBe(true)
    }
    expect(tokens.length).toBe(11)
    const { idempotencyKeys } = visitor
    const raw = [...everything, ...tokens, ...idempotencyKeys, masterKey]
    expect(whereIs(raw, remains)).toEqual([])
    expect(whereIs([...everything, masterKey], answers)).toEqual([])
    expect(whereIs([...tokens, ...idempotencyKeys], quiet)).toEqual([])
  })
})

/** In which of the places each of the texts stands in any form. */
function whereIs(texts: readonly string[], places: readonly Remain[]): string[] {
  return texts.flatMap((text) =>
    places
      .filter(([, bytes]) => formsOf(text).some((form) => bytes.includes(form)))
      .map(([name]) => `${text} in ${name}`),
  )
}
