import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string }
}
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  links?: { spanId: string }[]
}
interface Lease {
  run: { id: string }
  lease_token: string
  traceparent: string
}
interface Sent {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

let web: WebServer
let model: ModelServer
let server: ServerProcess | undefined

beforeEach(async () => {
  web = await startWebServer()
  model = await startModelServer()
})
afterEach(async () => {
  await server?.dispose()
  web.close()
  model.close()
})

async function call<T>(path: string, body: object, key?: string, headers = {}): Promise<T> {
  const response = await fetch(`${server?.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  // The test says what it expects of the answer.
  return (await response.json()) as T
}

const valueOf = ({ attributes }: { attributes: Attribute[] }, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue))
}

const traceId = '0af7651916cd43dd8448eb211c80319c'

it('a request and all that it leads to are one trace over processes and those of accounts, without contents', async () => {
  const batches: Sent[] = []
  const sentWith: unknown[] = []
  web.on('/v1/traces', async (request, response) => {
    sentWith.push(request.headers['x-team'])
    batches.push(JSON.parse(await text(request)) as Sent)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const hooked = Promise.withResolvers<unknown[]>()
  const hook = web.on('/hook', (request, response) => {
    hooked.resolve([request.headers['traceparent'], request.headers['tracestate']])
    response.writeHead(204).end()
  })
  const asked = Promise.withResolvers<unknown>()
  const service = web.on('/service', (request, response) => {
    asked.resolve(request.headers['traceparent'])
    response.writeHead(200, { 'content-type': 'text/plain' }).end('done')
  })
  server = await startServer({
    env: {
      ABODE_PROCESSES: '2',
      OPENAI_BASE_URL: model.baseUrl,
      ABODE_DEFAULT_MODEL: 'openai-compatible/local',
      ABODE_OUTBOUND_ALLOW: web.origin,
      OTEL_EXPORTER_OTLP_ENDPOINT: web.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue%20one',
      OTEL_SERVICE_NAME: 'our-abode',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  })
  const { api_key } = await call<{ api_key: string }>('/api/agent-claim', {})
  // The first asks a model, hands on to one that its account does by itself, and that on to a service.
  const handing = (to: string) => ({
    output_sharing: { enabled: true, target_agent_id: to, target_task_id: 't' },
  })
  const task = { task_id: 't', name: 'T', prompt: 'Say {{input}}' }
  const agent = (local_id: string, of: object) => ({
    local_id,
    name: local_id,
    heart: { tasks: [{ ...task, ...of }] },
  })
  await call(
    '/api/agent-apps/',
    {
      app_id: 'traced',
      name: 'Traced',
      webhook: { url: hook, events: ['run.completed'] },
      agents: [
        agent('a', handing('b')),
        agent('b', { runtime: 'own', ...handing('c') }),
        agent('c', { runtime: 'api', api_url: service }),
      ],
    },
    api_key,
  )
  model.plays({ calls: [{ name: 'teleport', arguments: {} }] }, { text: ['A marker answer.'] })
  const run = await call<{ status: string }>(
    '/api/characters/traced--a/tasks/t/run',
    { input: 'a marker question', wait_seconds: 30 },
    api_key,
    { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'vendor=one' },
  )
  expect(run.status).toBe('completed')
  const ours = new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)
  const [parent, state] = await hooked.promise
  expect(parent).toMatch(ours)
  expect(state).toBe('vendor=one')
  expect(model.asked[0]?.headers['traceparent']).toMatch(ours)
  // A process of the account's own, which sends a trace of what it calls, and none of its completion.
  const lease = await call<Lease>('/api/runs/lease', { wait_seconds: 30 }, api_key)
  expect(lease.traceparent).toMatch(ours)
  const { lease_token, traceparent } = lease
  const message = { to: 'traced--a', body: 'A marker.' }
  await call('/api/characters/traced--b/messages', message, api_key, { traceparent })
  await call(`/api/runs/${lease.run.id}/complete`, { lease_token, output: 'a marker' }, api_key)
  expect(await asked.promise).toMatch(ours)
  // What is malformed or long is no trace, and no fault.
  const long = { traceparent: 'x'.repeat(10_000), tracestate: 'y'.repeat(600) }
  await call('/api/characters/', { id: 'ada', name: 'Ada' }, api_key, long)
  await server.end('SIGTERM')

  const spans = batches.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
  const ofTrace = spans.filter((span) => span.traceId === traceId)
  const nameOf = (span: Span): string =>
    span.name === 'run' ? `run of ${valueOf(span, 'abode.agent_id')}` : span.name
  const names = new Map(ofTrace.map((span) => [span.spanId, nameOf(span)]))
  const chains = ofTrace.map(
    (span) => `${names.get(span.parentSpanId ?? '') ?? 'caller'} > ${nameOf(span)}`,
  )
  const [a, b, c] = ['a', 'b', 'c'].map((id) => `run of traced--${id}`)
  expect([...new Set(chains)].toSorted()).toEqual(
    [
      'caller > tasks.run',
      'tasks.run > store.commit',
      `tasks.run > ${a}`,
      `${a} > store.commit`,
      `${a} > chat`,
      `${a} > execute_tool`,
      'chat > POST',
      `${a} > event`,
      'event > store.commit',
      'event > delivery',
      'delivery > POST',
      'delivery > store.commit',
      `${a} > ${b}`,
      `${b} > messages.send`,
      'messages.send > store.commit',
      `${b} > store.commit`,
      `${b} > event`,
      `${b} > ${c}`,
      `${c} > POST`,
      `${c} > store.commit`,
      `${c} > event`,
    ].toSorted(),
  )
  const leased = ofTrace.find((span) => nameOf(span) === b)
  expect(traceparent).toContain(leased?.spanId)
  const completed = spans.find((span) => span.name === 'runs.complete')
  expect(leased?.links).toMatchObject([{ spanId: completed?.spanId }])
  const named = (name: string) => ofTrace.find((span) => span.name === name) ?? { attributes: [] }
  expect(valueOf(named('chat'), 'gen_ai.provider.name')).toBe('openai-compatible')
  expect(valueOf(named('chat'), 'gen_ai.request.model')).toBe('local')
  expect(valueOf(named('chat'), 'gen_ai.usage.output_tokens')).toBeGreaterThan(0)
  expect(valueOf(named('tasks.run'), 'abode.code')).toBe('ok')
  expect(valueOf(named('tasks.run'), 'abode.account_id')).toMatch(/^acc_/)
  const made = spans.find((span) => span.name === 'characters.create')
  expect(made?.parentSpanId ?? '').toBe('')
  const all = JSON.stringify(batches)
  for (const secret of [api_key, 'marker']) expect(all).not.toContain(secret)
  expect(all).toContain('"our-abode"')
  expect(all).toContain('"deployment.environment.name"')
  expect(sentWith[0]).toBe('blue one')
})

it('a collector that is away is told of once, and holds nothing up; without one nothing is loaded', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, about, next) => (loaded.push(url), next(url, about)) })
    const { openTraces } = await import('#adapters/traces/traces.ts')
    const isLoaded = () => loaded.some((url) => url.includes('/@opentelemetry/'))
    const lines = []
    const log = { warn: (line) => lines.push(line), info: (line) => lines.push(line) }
    const none = await openTraces(undefined, { version: '1', log })
    const before = [none.isOn, none.headers(), isLoaded()]
    const on = await openTraces(
      { endpoint: 'http://127.0.0.1:9', headers: {}, service: undefined, resource: {}, sampler: 'always_on', share: 1 },
      { version: '1', log },
    )
    const begun = performance.now()
    for (let i = 0; i < 10000; i++) {
      await on.step({ name: 'run', kind: 'internal', facts: {} }, async () => undefined)
    }
    const took = performance.now() - begun
    await on.close()
    console.log(JSON.stringify([before, isLoaded(), lines, took < 5000]))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
  const [before, isLoaded, lines, isQuick] = JSON.parse(await text(child.stdout)) as unknown[]
  expect(before).toEqual([false, {}, false])
  expect(isLoaded).toBe(true)
  expect(lines).toEqual(['traces cannot be sent'])
  expect(isQuick).toBe(true)
})
