import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personAt } from '#tests/oauth/person.ts'
import { agreedIn, begun, exchanged, refreshed, registered } from '#tests/oauth/program.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

/** Behind one address there may be several processes; here each stands for the address in turn. */
describe.each(stores())('a program that is connected at one of two processes ($name)', (kind) => {
  let place: Place
  let one: ServerProcess
  let other: ServerProcess

  beforeAll(async () => {
    place = await kind.place()
    const start = (PUBLIC_URL?: string): Promise<ServerProcess> => {
      const env = {
        ABODE_MASTER_KEY: '07'.repeat(32),
        ABODE_WORK: 'api',
        ABODE_RATE_LIMITS: 'off',
        ...(PUBLIC_URL !== undefined && { PUBLIC_URL }),
        ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
      }
      return startServer({ dataDir: place.folder, env })
    }
    one = await start()
    other = await start(one.url)
  })
  afterAll(async () => {
    await Promise.all([one.dispose(), other.dispose()])
    await place.remove()
  })

  const statusAt = async ({ url }: ServerProcess, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/api/account`, { headers })).status
  }

  async function connected() {
    const browser = await personAt(one.url)
    const program = await registered(one.url)
    const request = await begun(program)
    const tokens = await exchanged(program, request, await agreedIn(browser, request))
    const elsewhere = {
      ...program,
      server: { ...program.server, token_endpoint: `${other.url}/oauth/token` },
    }
    return { browser, program, elsewhere, tokens }
  }

  test('is known at both, and at neither within a second of its end', async () => {
    const { browser, tokens } = await connected()
    expect(await statusAt(one, tokens.access_token)).toBe(200)
    expect(await statusAt(other, tokens.access_token)).toBe(200)
    const settings = (await browser.get('/settings')).text
    const connection_id = /name="connection_id" value="([^"]*)"/.exec(settings)?.[1] ?? ''
    const ended = await browser.post('/settings', { action: 'end_connection', connection_id })
    expect(ended.status).toBe(303)
    expect(await statusAt(one, tokens.access_token)).toBe(401)
    await until(async () => (await statusAt(other, tokens.access_token)) === 401, { seconds: 1 })
  })

  test('is renewed by one of them alone, if both are asked at once', async () => {
    const { program, elsewhere, tokens } = await connected()
    const both = await Promise.allSettled([
      refreshed(program, tokens.refresh_token ?? ''),
      refreshed(elsewhere, tokens.refresh_token ?? ''),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  })

  test('is renewed at the other', async () => {
    const { elsewhere, tokens } = await connected()
    const more = await refreshed(elsewhere, tokens.refresh_token ?? '')
    expect(await statusAt(one, more.access_token)).toBe(200)
  })
})
