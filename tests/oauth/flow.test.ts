import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { stores } from '#tests/support/stores.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, exchanged, refreshed, registered, revoked } from './program.ts'

describe.each(stores())('a program is connected, on $name', (kind) => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  test('from its registration to a call, a refresh and its end', async () => {
    const browser = await personAt(url)
    const program = await registered(url)
    const request = await begun(program, { resource: `${url}/mcp/account`, scope: 'read write' })
    const back = await agreedIn(browser, request)
    expect(back.goesTo).toContain(program.redirect)
    const tokens = await exchanged(program, request, back, { resource: `${url}/mcp/account` })
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read write' })
    const calls = callsOf(url, tokens.access_token)
    const { answer } = await calls.tool('account_get', {})
    expect(answer).toMatchObject({ key: null })
    const more = await refreshed(program, tokens.refresh_token ?? '')
    expect(more.access_token).not.toBe(tokens.access_token)
    expect((await callsOf(url, more.access_token).tool('account_get', {})).answer).toBeDefined()
    await revoked(program, more.refresh_token ?? '')
    const { error } = await callsOf(url, more.access_token)
      .tool('account_get', {})
      .catch(() => ({ error: { code: 'refused' } }))
    expect(error?.code).toBeDefined()
  })
})
