import { afterEach, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { Room } from '#src/ports/space.ts'
import { OutboundFailure, type OutboundAnswer, type Sender } from '#src/ports/sender.ts'
import { Browser } from './browser.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, discovered, registered, type Program } from './program.ts'

const redirect = 'https://host.example/callback'

describe('what strangers may have this service do for programs', () => {
  let server: PlayedServer
  afterEach(() => server.close())

  async function open(limits: string, ports: Partial<CorePorts> = {}): Promise<string> {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind, { ABODE_RATE_LIMITS: limits }, ports)
    return server.url
  }

  const described = async (url: string, client_id: string): Promise<Program> => {
    return { server: await discovered(url), client: { client_id }, redirect }
  }
  const shown = async (url: string, program: Program) =>
    new Browser(url).get((await begun(program)).address)

  /** Others' servers, as the guarded fetch finds them. */
  function others(answer: (url: string) => Promise<OutboundAnswer>) {
    const asked: string[] = []
    const sender: Sender = {
      send({ url }) {
        asked.push(url)
        return answer(url)
      },
      load: () => Promise.reject(new OutboundFailure('unreachable', 'Nothing is loaded here.')),
      objection: () => undefined,
      close: () => Promise.resolve(),
    }
    return { asked, sender }
  }
  const describing = (client_id: string): OutboundAnswer => {
    const body = JSON.stringify({ client_id, client_name: 'Host', redirect_uris: [redirect] })
    return { status: 200, headers: {}, body }
  }

  test('so many requests of one network wait for a person', async () => {
    const url = await open('oauth_requests=2/3600')
    const program = await registered(url)
    const begin = async () => (await shown(url, program)).status
    expect([await begin(), await begin(), await begin()]).toEqual([303, 303, 429])
    const page = await shown(url, program)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    const device = { method: 'POST', body: new URLSearchParams({ client_id: 'x' }) }
    const refused = await fetch(`${url}/oauth/device-authorization`, device)
    expect([refused.status, (await shown(url, program)).status]).toEqual([429, 429])
    // What is under way goes on.
    expect((await fetch(`${url}/oauth/token`, { method: 'POST' })).status).toBe(400)
  })

  test('so many codes of devices may be tried from one network', async () => {
    const url = await open('device_codes=2/3600')
    const browser = await personAt(url)
    const { text } = await browser.get('/oauth/device')
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const tried = async (user_code: string) =>
      (await browser.post('/oauth/device', { xsrf, user_code })).status
    expect(await tried('BBBB-CCCC')).toBe(422)
    expect(await tried('BBBB-DDDD')).toBe(422)
    expect(await tried('BBBB-FFFF')).toBe(429)
  })

  test('so many programs that no one has connected introduce themselves from one network', async () => {
    const { asked, sender } = others((id) => Promise.resolve(describing(id)))
    const url = await open('oauth_clients=2/3600', { sender })
    const known = await described(url, 'https://host.example/0.json')
    expect((await agreedIn(await personAt(url), await begun(known))).goesTo).toContain('code=')
    expect((await shown(url, await described(url, 'https://host.example/1.json'))).status).toBe(303)
    const page = await shown(url, await described(url, 'https://host.example/2.json'))
    expect([page.status, page.goesTo]).toEqual([400, ''])
    expect(page.text).toContain('too many new programs')
    expect(asked).toHaveLength(2)
    expect((await shown(url, known)).status).toBe(303)
  })

  test('a description that cannot be had is asked for once in a request, and so many at once', async () => {
    const waiting: (() => void)[] = []
    const begunThree = Promise.withResolvers<void>()
    const { asked, sender } = others(
      (url) =>
        new Promise((_, reject) => {
          waiting.push(() => reject(new OutboundFailure('timeout', 'It took too long.')))
          if (url.startsWith('https://other.example')) begunThree.resolve()
        }),
    )
    const url = await open('off', { sender })
    const of = async (place: string) => shown(url, await described(url, place))
    const two = [of('https://slow.example/1.json'), of('https://slow.example/2.json')]
    while (asked.length < 2) await new Promise(setImmediate)
    // Of the same host no more, of another one more.
    expect((await of('https://slow.example/3.json')).status).toBe(400)
    expect(asked).toHaveLength(2)
    const other = of('https://other.example/1.json')
    await begunThree.promise
    for (const end of waiting) end()
    const pages = await Promise.all([...two, other])
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(asked).toHaveLength(3)
  })

  test('nothing is kept for strangers while there is little room', async () => {
    const space = { room: 'ok' as Room, noteFull: () => undefined, close: () => undefined }
    const url = await open('off', { space })
    const program = await registered(url)
    space.room = 'low'
    expect((await shown(url, program)).status).toBe(503)
    for (const path of ['/oauth/register', '/oauth/device-authorization', '/oauth/device']) {
      const { status } = await fetch(url + path, { method: 'POST' })
      expect([path, status]).toEqual([path, 503])
    }
    expect((await fetch(`${url}/oauth/token`, { method: 'POST' })).status).toBe(400)
  })
})
