import { afterEach, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { connectionsAtMost } from '#src/accounts/hosts/connection.ts'
import { purgeArtifacts, purgeClients, purgeConnections } from '#src/accounts/hosts/purge.ts'
import { personAt } from './person.ts'
import {
  agreedIn,
  begun,
  consentOf,
  consenting,
  discovered,
  exchanged,
  registered,
} from './program.ts'

const redirect = 'https://desk.example/back'
const secret = 's'.repeat(40)

describe.each(stores())('what connecting may take, on $name', (kind) => {
  const { it: testOnce } = onFirstStore(kind)
  let server: PlayedServer
  afterEach(() => server.close())

  async function open(env: Record<string, string> = {}): Promise<string> {
    server = await openServer(kind, env)
    return server.url
  }

  testOnce('programs that the operator registers need not, and may have a secret', async () => {
    const program = { client_id: 'desk', client_name: 'Desk', redirect_uris: [redirect] }
    const url = await open({
      ABODE_OAUTH_CLIENTS: JSON.stringify([{ ...program, client_secret: secret }]),
    })
    const browser = await personAt(url)
    const known = { server: await discovered(url), client: { client_id: 'desk' }, redirect }
    const request = await begun(known)
    const back = await agreedIn(browser, request)
    expect(back.goesTo).toContain(redirect)
    await expect(exchanged(known, request, back)).rejects.toMatchObject({ error: 'invalid_client' })
    const form = {
      grant_type: 'authorization_code',
      code: new URL(back.goesTo).searchParams.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: request.verifier,
    }
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`desk:${secret}`)}` },
      body: new URLSearchParams(form),
    })
    expect(await response.json()).toMatchObject({ scope: 'read write run' })
  })

  testOnce('programs that register are bounded by the network that they come from', async () => {
    const url = await open({ ABODE_RATE_LIMITS: 'oauth_clients=2/3600' })
    const register = () =>
      fetch(`${url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirect] }),
      })
    expect([(await register()).status, (await register()).status]).toEqual([201, 201])
    const refused = await register()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  testOnce('a form at the token endpoint has 16 KiB', async () => {
    const url = await open()
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'x'.repeat(20_000),
    })
    const { status } = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    expect(status).toBe(413)
  })

  test('what no one needs any more is deleted', async () => {
    const url = await open()
    const browser = await personAt(url)
    const [kept] = [await registered(url), await registered(url)]
    const request = await begun(kept)
    await exchanged(kept, request, await agreedIn(browser, request))
    const { ports } = server.world
    const { store } = ports
    const count = async () => [
      await store.oauth_clients.count({}),
      await store.connections.count({}),
      (await store.oauth_artifacts.count({})) > 0,
    ]
    const later = (days: number) => new Date(Date.now() + days * 86_400_000)
    const purge = async (days: number) => {
      for (const expired of [purgeArtifacts, purgeClients, purgeConnections]) {
        await expired(ports, later(days))
      }
    }
    expect(await count()).toEqual([2, 1, true])
    await purge(2)
    // The refresh token is there.
    expect(await count()).toEqual([1, 1, true])
    await purge(61)
    expect(await count()).toEqual([1, 1, false])
    await purge(367)
    // A program is kept for a week after its last connection.
    expect(await count()).toEqual([1, 0, false])
    await purge(373)
    expect(await count()).toEqual([1, 0, false])
    await purge(375)
    expect(await count()).toEqual([0, 0, false])
  })

  testOnce('an account has so many connections and no more', async () => {
    const url = await open()
    const browser = await personAt(url)
    const program = await registered(url)
    const request = await begun(program)
    await agreedIn(browser, request)
    const { store } = server.world.ports
    const [one] = await store.connections.find({}, { limit: 1 })
    if (!one) throw new Error('there is a connection')
    for (let i = 1; i < connectionsAtMost; i++) {
      await store.connections.insert({ ...one, id: `con_${i}`, client_id: `other-${i}` })
    }
    const other = await registered(url)
    const page = await browser.follow(await browser.get((await begun(other)).address))
    const refused = await browser.post(consentOf(page), consenting(page))
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(`at most ${connectionsAtMost} connections`)
    // What is there may be renewed.
    expect((await agreedIn(browser, await begun(program))).goesTo).toContain('code=')
  })
})
