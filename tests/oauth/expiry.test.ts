import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionDays } from '#src/accounts/hosts/connection.ts'
import { purgeConnections } from '#src/accounts/hosts/purge.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { stores } from '#tests/support/stores.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, exchanged, refreshed, registered } from './program.ts'

describe.each(stores())('a connection that its person has not renewed, on $name', (kind) => {
  let server: PlayedServer
  beforeAll(async () => {
    server = await openServer(kind)
  })
  afterAll(() => server.close())

  test('ends with its tokens, and the keys that were made with them', async () => {
    const { url, world } = server
    const browser = await personAt(url)
    const program = await registered(url)
    const request = await begun(program, { scope: 'read admin' })
    const tokens = await exchanged(program, request, await agreedIn(browser, request))
    const status = async (credential: string) => {
      const headers = { authorization: `Bearer ${credential}` }
      return (await fetch(`${url}/api/account`, { headers })).status
    }
    const made = await fetch(`${url}/api/api-keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'of a program' }),
    })
    expect(made.status).toBe(201)
    const { key } = (await made.json()) as { key: string }
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

    await purgeConnections(world.ports, inDays(connectionDays - 1))
    expect(await Promise.all([status(key), status(tokens.access_token)])).toEqual([200, 200])

    await purgeConnections(world.ports, inDays(connectionDays + 1))
    expect(await Promise.all([status(key), status(tokens.access_token)])).toEqual([401, 401])
    await expect(refreshed(program, tokens.refresh_token ?? '')).rejects.toThrow()
  })
})
