import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { Browser } from './browser.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, exchanged, registered, revoked, type Program } from './program.ts'

describe.each(oneStore())('a key that a program has made, on $name', (kind) => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  async function agreed(browser: Browser, program: Program, scope: string) {
    const request = await begun(program, { scope })
    return exchanged(program, request, await agreedIn(browser, request))
  }

  async function madeBy(credential: string, more: object = {}): Promise<string> {
    const { body } = await callsOf(url, credential).rest('POST', '/api/api-keys', {
      name: 'Made',
      ...more,
    })
    return String(body['key'])
  }

  /** What a call answers with this key: its status, and the code of a refusal. */
  async function told(key: string, method: string, path: string, body?: object) {
    const { status, body: answer } = await callsOf(url, key).rest(method, path, body)
    return [status, answer['code']]
  }

  const character = { name: 'Made' }

  test('does no more than the program may, also once its person allows it less', async () => {
    const [browser, program] = await Promise.all([personAt(url), registered(url)])
    const { access_token } = await agreed(browser, program, 'read write admin')
    const key = await madeBy(access_token)
    expect(await told(key, 'POST', '/api/characters', character)).toEqual([201, undefined])
    expect(await told(key, 'POST', '/api/runs/none/cancel', {})).toEqual([
      403,
      'insufficient_scope',
    ])
    await agreed(browser, program, 'read admin')
    expect(await told(key, 'POST', '/api/characters', character)).toEqual([
      403,
      'insufficient_scope',
    ])
    expect(await told(key, 'GET', '/api/account')).toEqual([200, undefined])
  })

  test('is in the audit as the program, and so is what it does', async () => {
    const [browser, program] = await Promise.all([personAt(url), registered(url)])
    const { access_token } = await agreed(browser, program, 'read write admin')
    const key = await madeBy(access_token)
    await madeBy(key)
    const { rest } = callsOf(url, access_token)
    const { items } = (await rest('GET', '/api/account/audit', undefined)).body as {
      items: { actor: { kind: string; key_id?: string; connection_id: string } }[]
    }
    const [byKey, byToken] = items.map(({ actor }) => actor)
    expect(byToken).toEqual({ kind: 'host', connection_id: byToken?.connection_id })
    expect(byKey).toEqual({ ...byToken, key_id: expect.stringMatching(/^key_/) })
  })

  test('ends with the connection, and so do the keys that were made by it', async () => {
    const [browser, program] = await Promise.all([personAt(url), registered(url)])
    const tokens = await agreed(browser, program, 'read write admin')
    const first = await madeBy(tokens.access_token)
    const second = await madeBy(first)
    expect(await told(second, 'GET', '/api/account')).toEqual([200, undefined])
    await revoked(program, tokens.refresh_token ?? '')
    for (const key of [first, second]) {
      expect(await told(key, 'GET', '/api/account')).toEqual([401, 'invalid_credential'])
    }
  })

  test('opens nothing once the account is held by another', async () => {
    const [browser, program] = await Promise.all([personAt(url), registered(url)])
    const { access_token } = await agreed(browser, program, 'read admin')
    const key = await madeBy(access_token)
    const { body: account } = await callsOf(url, key).rest('GET', '/api/account', undefined)
    const { store, forgetCallers } = server.world.ports
    await store.accounts.update({ id: String(account['id']) }, { $set: { holder_id: 'usr_other' } })
    forgetCallers()
    expect(await told(key, 'GET', '/api/account')).toEqual([401, 'invalid_credential'])
  })
})
