import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToolServers } from '#adapters/model/tool-servers.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import { toolServersOf } from '#tests/support/models.ts'
import { startToolServer, type TestToolServer } from '#tests/support/tool-server.ts'

const anyTime = (): AbortSignal => new AbortController().signal
const called = () => ({ signal: anyTime(), mark: { key: 'run_1.call.1', attempt: 2 } })

describe('a tool server', () => {
  let server: TestToolServer
  beforeEach(async () => {
    server = await startToolServer()
  })
  afterEach(() => server.close())

  const connect = (url = server.url, timeoutMs?: number) =>
    toolServersOf([server.origin], timeoutMs).connect({ url, headers: {} }, anyTime())

  it('has its tools listed and called', async () => {
    const tools = await connect()
    expect(tools.tools.map(({ name }) => name)).toEqual(['tide', 'broken'])
    expect(tools.tools[0]).toMatchObject({
      description: 'The tide at a pier.',
      parameters: { type: 'object', properties: { pier: { type: 'string' } } },
    })
    expect(await tools.call('tide', { pier: 'north' }, called())).toEqual({
      text: 'High water at north: 07:12.',
      isError: false,
    })
    const meta = { 'idempotency-key': 'run_1.call.1', 'abode-attempt': 2 }
    expect(server.calls).toMatchObject([{ name: 'tide', input: { pier: 'north' }, meta }])
    await tools.close()
  })

  it('is sent the trace of a call in its _meta', async () => {
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    const guarded = openSender({ allow: [server.origin], userAgent: 'abode-tests' })
    const traced = openToolServers({ guarded, version: '0.0.0', trace: () => trace })
    const tools = await traced.connect({ url: server.url, headers: {} }, anyTime())
    await tools.call('tide', { pier: 'north' }, called())
    expect(server.calls).toMatchObject([{ meta: trace }])
    await tools.close()
    await guarded.close()
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is understood where its answers are compressed by %s', async (coding, compress) => {
    const url = server.web.on('/compressed', async (request, response) => {
      const kept = Object.entries(request.headers).filter(([name]) =>
        /^(?:accept|content-type|mcp-.*)$/.test(name),
      )
      const answer = await fetch(server.url, {
        method: 'POST',
        headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
        body: await text(request),
      })
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type, 'content-encoding': coding })
      response.end(compress(Buffer.from(await answer.arrayBuffer())))
    })
    const tools = await connect(url)
    expect(tools.tools.map(({ name }) => name)).toEqual(['tide', 'broken'])
    await tools.close()
  })

  it('is sent the headers with every request', async () => {
    const headers = { authorization: 'Bearer marker', 'x-place': 'pier' }
    const tools = await toolServersOf([server.origin]).connect(
      { url: server.url, headers },
      anyTime(),
    )
    await tools.call('tide', { pier: 'north' }, called())
    await tools.close()
    expect(server.headers.length).toBeGreaterThan(1)
    for (const sent of server.headers) expect(sent).toMatchObject(headers)
  })

  it('says what is wrong with a call', async () => {
    const tools = await connect()
    expect(await tools.call('broken', {}, called())).toMatchObject({
      isError: true,
      text: expect.stringContaining('the gauge is out of order') as string,
    })
    const wrong = await tools.call('tide', { pier: 7 }, called()).catch((cause: unknown) => cause)
    expect(JSON.stringify(wrong, ['message', 'text', 'isError'])).toMatch(/pier|Invalid/i)
    await expect(tools.call('teleport', {}, called())).rejects.toThrow(/refused the call.*teleport/)
    await tools.close()
  })

  it('may not lie inside the network', async () => {
    const connecting = toolServersOf().connect({ url: server.url, headers: {} }, anyTime())
    await expect(connecting).rejects.toThrow(
      'The address leads to a place that this server does not call.',
    )
    expect(server.headers).toEqual([])
  })

  it('may not lead inside the network by a redirect', async () => {
    const url = server.web.on('/away', (_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.2:1/mcp' }).end()
    })
    await expect(connect(url)).rejects.toThrow('The address leads to a place')
  })

  it.each<[string, string, (write: (text: string) => void, end: () => void) => void]>([
    ['hangs', 'The server did not answer in time.', () => undefined],
    ['hangs in its middle', 'The server did not answer in time.', (write) => write('data: {')],
    [
      'answers events that are none of its',
      'The server did not answer in time.',
      (write, end) => {
        write('data: {"jsonrpc":"2.0","id":999,"result":{}}\n\n')
        end()
      },
    ],
  ])('that %s is given up', async (_, message, speak) => {
    const url = server.web.on('/mute', (request, response) => {
      request.resume()
      const write = (text: string): void => {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(text)
      }
      speak(write, () => response.end())
    })
    await expect(connect(url, 300)).rejects.toThrow(message)
  })

  it.each([
    ['text/html', '<p>hello</p>', 'The server did not answer as a tool server does.'],
    ['application/json', '{"hello": 1}', 'The server did not answer as a tool server does.'],
    ['application/json', '{"hello', 'The server did not answer as a tool server does.'],
    ['application/json', `"${'x'.repeat(11 * 1024 * 1024)}"`, 'The answer is larger than 10 MB.'],
  ])('that answers garbage (%s, %.20s) is given up', async (type, body, message) => {
    const url = server.web.on('/garbage', (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await expect(connect(url)).rejects.toThrow(message)
  })

  it('that refuses says so by its status, and not in its words', async () => {
    const url = server.web.on('/no', (request, response) => {
      request.resume()
      response.writeHead(403).end('go away, marker')
    })
    const cause: unknown = await connect(url).catch((error: unknown) => error)
    expect(String(cause)).toBe('ToolServerFailure: The server answered with status 403.')
  })

  it('is disconnected at once when its answer is no longer wanted', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const url = server.web.on('/mute', (request, response) => {
      request.resume()
      response.once('close', leave)
      ask()
    })
    const enough = new AbortController()
    const connecting = toolServersOf([server.origin]).connect({ url, headers: {} }, enough.signal)
    const failed = expect(connecting).rejects.toThrow()
    await asked
    enough.abort(new Error('enough'))
    await failed
    await left
  })
})
