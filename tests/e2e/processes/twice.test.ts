import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lapse } from '#tests/support/kills/lapse.ts'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { oneStore, type Place } from '#tests/support/stores.ts'
import { startToolServer, type TestToolServer } from '#tests/support/tool-server.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { keyOf, pause } from './several.ts'

let place: Place
let model: ModelServer
let gauges: TestToolServer
let web: WebServer
let server: ServerProcess | undefined
let effects: { path: string; headers: IncomingHttpHeaders; response: ServerResponse }[]

beforeEach(async () => {
  model = await startModelServer()
  gauges = await startToolServer()
  web = await startWebServer()
  effects = []
})
afterEach(async () => {
  await server?.dispose()
  for (const one of [model, gauges, web]) one.close()
  await place.remove()
})

const start = (): Promise<ServerProcess> =>
  startServer({
    ...(place.uri === undefined && { dataDir: place.folder }),
    env: {
      ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
      OPENAI_BASE_URL: model.baseUrl,
      ABODE_DEFAULT_MODEL: 'openai-compatible/local',
      ABODE_OUTBOUND_ALLOW: [gauges.origin, web.origin].join(','),
      ABODE_RATE_LIMITS: 'off',
    },
  })

const receiverAt = (path: string): string =>
  web.on(path, ({ headers }, response) => void effects.push({ path, headers, response }))

const marksAt = (path: string) =>
  effects
    .filter((one) => one.path === path)
    .map(({ headers }) => [headers['idempotency-key'], headers['abode-attempt']])

it.each(oneStore())(
  'tells receivers that an effect comes again after a kill, on $name',
  async (kind) => {
    place = await kind.place()
    const pay = receiverAt('/pay')
    const call = receiverAt('/call')
    server = await start()
    const key = await keyOf(server)
    const post = async (path: string, body: object): Promise<{ id: string }> => {
      const answer = await fetch(`${server?.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify(body),
      })
      // The operations answer so.
      return (await answer.json()) as { id: string }
    }
    await post('/api/characters/', { id: 'ada', name: 'Ada' })
    const tools = [
      { name: 'pay', type: 'http', config: { url: pay, method: 'POST' } },
      { name: 'gauges', type: 'mcp', config: { url: gauges.url } },
    ]
    await post('/api/characters/ada/tasks', { task_id: 'buy', name: 'Buy', prompt: 'Buy.', tools })
    const caller = { task_id: 'call', name: 'Call', runtime: 'api', api_url: call }
    await post('/api/characters/ada/tasks', caller)
    const calls = [
      { name: 'gauges_tide', arguments: { pier: 'north' } },
      { name: 'pay', arguments: { cents: 5 } },
    ]
    model.plays({ calls }, { calls }, { text: ['Paid.'] })
    const bought = await post('/api/characters/ada/tasks/buy/run', {})
    const called = await post('/api/characters/ada/tasks/call/run', {})
    await until(() => effects.length === 2, pause)
    await server.end('SIGKILL')
    const killedAt = performance.now()
    server = await start()
    await lapse(place, killedAt)
    await until(() => effects.length === 4, pause)
    for (const { response } of effects.slice(2)) response.end('"done"')

    expect(marksAt('/call')).toEqual([
      [called.id, '1'],
      [called.id, '2'],
    ])
    const [[first] = [], [second] = []] = marksAt('/pay')
    expect(first).toMatch(new RegExp(`^${bought.id}\\.call\\.`))
    expect(marksAt('/pay')).toEqual([
      [first, '1'],
      [second, '2'],
    ])
    expect(second).toBe(first)
    const [before, after, ...more] = gauges.calls.map(({ meta }) => meta)
    expect(more).toEqual([])
    expect(before).toMatchObject({ 'abode-attempt': 1 })
    expect(after).toMatchObject({ ...before, 'abode-attempt': 2 })
    await until(() => model.asked.length === 3, pause)
    expect(
      model.asked.map(({ headers }) => [headers['idempotency-key'], headers['abode-attempt']]),
    ).toEqual([
      [`${bought.id}.turn.1`, '1'],
      [`${bought.id}.turn.1`, '2'],
      [`${bought.id}.turn.2`, '2'],
    ])
  },
)
