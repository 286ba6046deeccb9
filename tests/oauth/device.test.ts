import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { stores } from '#tests/support/stores.ts'
import { Browser, type Shown } from './browser.ts'
import { personAt } from './person.ts'
import { consentOf, consenting, registered, type Program } from './program.ts'

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

interface DeviceAnswer {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

describe.each(stores())('a device is connected by a code, on $name', (kind) => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  async function post(path: string, form: Record<string, string>) {
    const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(form) })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  async function begun(): Promise<{ program: Program; device: DeviceAnswer }> {
    const grants = { grant_types: [grant_type, 'refresh_token'], response_types: [] }
    const program = await registered(url, { ...grants, redirect_uris: [] })
    const { client_id } = program.client
    const { status, body } = await post('/oauth/device-authorization', { client_id })
    expect(status).toBe(200)
    return { program, device: body as unknown as DeviceAnswer }
  }

  const asked = ({ client }: Program, { device_code }: DeviceAnswer) =>
    post('/oauth/token', { grant_type, device_code, client_id: client.client_id })

  const secretOf = ({ text }: Shown) => /name="xsrf" value="([^"]*)"/.exec(text)?.[1] ?? ''

  /** The page on which the person decides, after they have entered and compared the code. */
  async function entered(browser: Browser, { user_code }: DeviceAnswer): Promise<Shown> {
    const first = await browser.get('/oauth/device')
    expect(first.text).toContain('Code on your device')
    const compared = await browser.post('/oauth/device', { xsrf: secretOf(first), user_code })
    expect(compared.text).toContain(user_code)
    const form = { xsrf: secretOf(compared), user_code, confirm: 'yes' }
    return browser.follow(await browser.post('/oauth/device', form))
  }

  test('from its code to a call', async () => {
    const { program, device } = await begun()
    expect(device.verification_uri).toBe(`${url}/oauth/device`)
    expect((await asked(program, device)).body['error']).toBe('authorization_pending')
    const browser = await personAt(url)
    const page = await entered(browser, device)
    expect(page.text).toContain('asks for access')
    const done = await browser.follow(await browser.post(consentOf(page), consenting(page)))
    expect(done.text).toContain('The device is connected')
    const { body } = await asked(program, device)
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read write run' })
    const headers = { authorization: `Bearer ${body['access_token']}` }
    expect((await fetch(`${url}/api/account`, { headers })).status).toBe(200)
    expect((await asked(program, device)).body['error']).toBe('invalid_grant')
  })

  test('and is told to slow down where it asks too often', async () => {
    const { program, device } = await begun()
    expect(device).toMatchObject({ interval: 5 })
    const errors = [await asked(program, device), await asked(program, device)]
    expect(errors.map(({ body }) => body['error'])).toEqual(['authorization_pending', 'slow_down'])
    const other = await begun()
    expect((await asked(other.program, other.device)).body['error']).toBe('authorization_pending')
  })

  test('until its code has expired', async () => {
    const { program, device } = await begun()
    const browser = await personAt(url)
    const first = await browser.get('/oauth/device')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    try {
      expect((await asked(program, device)).body['error']).toBe('expired_token')
      const form = { xsrf: secretOf(first), user_code: device.user_code }
      expect((await browser.post('/oauth/device', form)).text).toContain('This code has expired')
    } finally {
      vi.useRealTimers()
    }
  })

  test('and may be refused, at the code or at the decision', async () => {
    const [one, other] = [await begun(), await begun()]
    const browser = await personAt(url)
    const first = await browser.get('/oauth/device')
    const form = { xsrf: secretOf(first), user_code: one.device.user_code, abort: 'yes' }
    expect((await browser.post('/oauth/device', form)).text).toContain('The device was refused')
    expect((await asked(one.program, one.device)).body['error']).toBe('access_denied')
    const page = await entered(browser, other.device)
    await browser.follow(await browser.post(consentOf(page), { action: 'deny' }))
    expect((await asked(other.program, other.device)).body['error']).toBe('access_denied')
  })

  test('a form whose session is gone, and a request that has ended, lead to an empty form', async () => {
    const form = { xsrf: 'x', user_code: 'BBBB-CCCC' }
    const sent = await new Browser(url).post('/oauth/device', form)
    const ended = await new Browser(url).get('/oauth/device/ended')
    for (const { status, goesTo } of [sent, ended]) {
      expect({ status, goesTo }).toEqual({ status: 303, goesTo: `${url}/oauth/device` })
    }
  })

  test('a wrong code, a form of another browser, and another program lead nowhere', async () => {
    const { device } = await begun()
    const browser = await personAt(url)
    const first = await browser.get('/oauth/device')
    const wrong = { xsrf: secretOf(first), user_code: 'BBBB-CCCC' }
    expect((await browser.post('/oauth/device', wrong)).text).toContain('There is no such code')
    const forged = await browser.post('/oauth/device', { xsrf: 'x', user_code: device.user_code })
    expect(forged.status).toBeGreaterThanOrEqual(400)
    const { program } = await begun()
    expect((await asked(program, device)).body['error']).toBe('invalid_grant')
  })
})
