import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSender } from '#adapters/sender/fetch.ts'
import {
  OutboundFailure,
  type Outbound,
  type OutboundFault,
  type Sender,
} from '#src/ports/sender.ts'
import { startSocketServer, startWebServer, type WebServer } from '#tests/support/web-server.ts'

let web: WebServer
let elsewhere: WebServer
let sender: Sender
let echo: string

beforeAll(async () => {
  web = await startWebServer()
  elsewhere = await startWebServer()
  sender = openSender({ allow: [web.origin, elsewhere.origin], userAgent: 'abode-test/1' })
  for (const server of [elsewhere, web]) {
    echo = server.on('/echo', async (request, response) => {
      const { method, url, headers } = request
      response.end(JSON.stringify({ method, url, headers, body: await text(request) }))
    })
  }
})

afterAll(async () => {
  await sender.close()
  web.close()
  elsewhere.close()
})

async function failureOf(request: Partial<Outbound>, by = sender): Promise<OutboundFailure> {
  const sent = by.send({ method: 'GET', url: web.origin, ...request })
  const outcome = await sent.catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(OutboundFailure)
  // Checked in the line above.
  return outcome as OutboundFailure
}

async function faultOf(request: Partial<Outbound>, by = sender): Promise<OutboundFault> {
  return (await failureOf(request, by)).fault
}

describe('a request', () => {
  test('arrives as it was sent, and its answer comes back', async () => {
    const headers = { 'Content-Type': 'application/json', 'X-Mark': 'é' }
    const answer = await sender.send({
      method: 'PUT',
      url: `${echo}?q=1#part`,
      headers,
      body: '{"größe":1}',
    })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({
      method: 'PUT',
      url: '/echo?q=1',
      body: '{"größe":1}',
      headers: { 'content-type': 'application/json', 'user-agent': 'abode-test/1' },
    })
  })

  test('carries no cookie and no header of the connection, and the answer sets none', async () => {
    web.on('/cookie', (request, response) => {
      response.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Two': ['1', '2'] })
      response.end(JSON.stringify(request.headers))
    })
    const headers = { Cookie: 'a=1', Host: 'inside', 'Proxy-Authorization': 'x', TE: 'trailers' }
    const url = `${web.origin}/cookie`
    await sender.send({ method: 'GET', url })
    const answer = await sender.send({ method: 'GET', url, headers })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['x-two']).toBe('1, 2')
    const seen: unknown = JSON.parse(answer.body)
    expect(seen).not.toHaveProperty('cookie')
    expect(seen).not.toHaveProperty('proxy-authorization')
    expect(seen).not.toHaveProperty('te')
    expect(seen).toHaveProperty('host', new URL(web.origin).host)
  })

  test('with a header that would break the message is not sent', async () => {
    const headers = { 'X-Mark': 'a\r\nHost: inside' }
    expect(await faultOf({ url: echo, headers })).toBe('address_invalid')
  })

  test('to a status of failure is an answer like any other', async () => {
    expect(await sender.send({ method: 'GET', url: `${web.origin}/none` })).toMatchObject({
      status: 404,
    })
  })

  test('waits for nothing once it is cancelled, before or while it is under way', async () => {
    expect(await faultOf({ signal: AbortSignal.abort() })).toBe('cancelled')
    const controller = new AbortController()
    web.on('/silent', () => controller.abort())
    const { signal } = controller
    expect(await faultOf({ url: `${web.origin}/silent`, signal })).toBe('cancelled')
  })

  test('is cancelled when the sender closes', async () => {
    const closing = openSender({ allow: [web.origin], userAgent: 'abode-test/1' })
    web.on('/closing', () => closing.close())
    expect(await faultOf({ url: `${web.origin}/closing` }, closing)).toBe('cancelled')
    expect(await faultOf({ url: echo }, closing)).toBe('cancelled')
  })
})

describe('the limit of time', () => {
  const timeoutMs = 200

  test('ends a request that gets no answer', async () => {
    web.on('/hang', () => undefined)
    expect(await faultOf({ url: `${web.origin}/hang`, timeoutMs })).toBe('timeout')
  })

  test('ends an answer that never stops dripping', async () => {
    web.on('/drip', (_request, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect(await faultOf({ url: `${web.origin}/drip`, timeoutMs })).toBe('timeout')
  })

  // Less than what a connection may take by itself, so that only the request's own limit can end it.
  test('covers a resolver that never answers', { timeout: 5000 }, async () => {
    const lost = openSender({ allow: [], userAgent: 'x', lookup: () => undefined })
    expect(await faultOf({ url: 'http://example.test/', timeoutMs }, lost)).toBe('timeout')
    await lost.close()
  })

  test('is for all hops together', async () => {
    web.on('/slowly', (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/slowly' }).end(), timeoutMs / 4)
    })
    expect(await faultOf({ url: `${web.origin}/slowly`, redirects: 100, timeoutMs })).toBe(
      'timeout',
    )
  })
})

describe('a redirect', () => {
  function redirect(path: string, status: number, location: string): string {
    return web.on(path, (request, response) => {
      request.resume().on('end', () => response.writeHead(status, { location }).end('ignored'))
    })
  }

  test.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ] as const)('of status %i turns %s into %s', async (status, method, then) => {
    const headers = { 'Content-Type': 'text/plain', 'X-Api-Key': 'k' }
    const url = redirect('/here', status, '/echo')
    const answer = await sender.send({ method, url, headers, body: 'payload' })
    const seen: unknown = JSON.parse(answer.body)
    expect(seen).toMatchObject({ method: then, headers: { 'x-api-key': 'k' } })
    const kept = {
      body: 'payload',
      headers: expect.objectContaining({ 'content-type': 'text/plain' }),
    }
    const lost = {
      body: '',
      headers: expect.not.objectContaining({ 'content-type': 'text/plain' }),
    }
    expect(seen).toMatchObject(then === 'GET' ? lost : kept)
  })

  test('to another origin takes no header along that could be a credential', async () => {
    const headers = {
      Authorization: 'Bearer secret',
      'X-Api-Key': 'secret',
      'X-Service-Signature': 'secret',
      'Content-Type': 'text/plain',
      Accept: 'text/plain',
    }
    const url = redirect('/away', 307, `${elsewhere.origin}/echo`)
    const answer = await sender.send({ method: 'POST', url, headers, body: 'payload' })
    expect(answer.body).not.toContain('secret')
    expect(JSON.parse(answer.body)).toMatchObject({
      body: 'payload',
      headers: {
        'content-type': 'text/plain',
        accept: 'text/plain',
        'user-agent': 'abode-test/1',
        host: new URL(elsewhere.origin).host,
      },
    })
  })

  test('is followed as often as the request allows, three times by default', async () => {
    redirect('/1', 302, '/echo')
    redirect('/2', 302, '/1')
    redirect('/3', 302, '/2')
    const four = redirect('/4', 302, '/3')
    expect((await sender.send({ method: 'GET', url: `${web.origin}/3` })).status).toBe(200)
    expect(await faultOf({ url: four })).toBe('too_many_redirects')
    expect((await sender.send({ method: 'GET', url: four, redirects: 4 })).status).toBe(200)
    expect(await faultOf({ url: `${web.origin}/1`, redirects: 0 })).toBe('too_many_redirects')
  })

  test('to an address that is not called is refused like the address itself', async () => {
    const faults = [
      'http://127.0.0.1:1/',
      'http://a:b@example.com/',
      'file:///etc/passwd',
      'http://[',
    ]
    const seen = []
    for (const location of faults) seen.push(await faultOf({ url: redirect('/in', 302, location) }))
    expect(seen).toEqual(['address_refused', 'address_refused', 'address_invalid', 'broken_answer'])
  })

  test('without an address is the answer', async () => {
    const url = web.on('/nowhere', (_request, response) => response.writeHead(302).end('here'))
    expect(await sender.send({ method: 'GET', url })).toMatchObject({ status: 302, body: 'here' })
  })
})

describe('a failure', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  test.each<[string, OutboundFault, string]>([
    ['a hang-up without a word', 'broken_answer', ''],
    ['something else than HTTP', 'broken_answer', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a body that is cut off', 'broken_answer', `${head}Content-Length: 9\r\n\r\nhalf`],
    ['a broken chunk', 'broken_answer', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    [
      'a chunk that is cut off',
      'broken_answer',
      `${head}Transfer-Encoding: chunked\r\n\r\n9\r\nab`,
    ],
    ['headers without end', 'too_large', `${head}X-Long: ${'secret '.repeat(5000)}`],
    [
      'another protocol',
      'broken_answer',
      'HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('by %s is %s, in words of our own', async (_what, fault, said) => {
    const raw = await startSocketServer((socket) => socket.end(said))
    const trusting = openSender({ allow: [raw.origin], userAgent: 'abode-test/1' })
    const failed = await failureOf({ url: `${raw.origin}/?token=secret` }, trusting)
    expect(failed.fault).toBe(fault)
    expect(failed.message).not.toMatch(/secret|127\.0|SSH|token/)
    await trusting.close()
    raw.close()
  })

  test('to connect is unreachable: no server, no such name, no TLS', async () => {
    const gone = await startSocketServer(() => undefined)
    gone.close()
    const lookup = (
      _name: string,
      _options: object,
      done: (error: Error, found: []) => void,
    ): void => done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), [])
    const secure = web.origin.replace('http:', 'https:')
    const trusting = openSender({ allow: [gone.origin, secure], userAgent: 'x', lookup })
    for (const url of [gone.origin, 'http://nowhere.test/', secure]) {
      expect(await faultOf({ url }, trusting)).toBe('unreachable')
    }
    await trusting.close()
  })

  test('leaves no connection behind', async () => {
    let open = 0
    const raw = await startSocketServer((socket) => {
      open += 1
      socket.on('close', () => (open -= 1))
      socket.write('HTTP/1.1 302 x\r\nLocation: /\r\nContent-Length: 900\r\n\r\nhalf')
    })
    const trusting = openSender({ allow: [raw.origin], userAgent: 'x' })
    expect(await faultOf({ url: raw.origin }, trusting)).toBe('too_many_redirects')
    await expect.poll(() => open).toBe(0)
    await trusting.close()
    raw.close()
  })
})
