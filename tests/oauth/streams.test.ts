import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { call } from '#tests/support/rest/call.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { Browser } from './browser.ts'
import { personAt } from './person.ts'
import { until } from '#tests/support/until.ts'
import { agreedIn, begun, exchanged, registered, revoked } from './program.ts'

describe('what a program follows', () => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  async function connected(browser: Browser, scope: string) {
    const program = await registered(url)
    const request = await begun(program, { scope })
    return { program, tokens: await exchanged(program, request, await agreedIn(browser, request)) }
  }

  test('ends with its connection: it is sent nothing that happens afterwards', async () => {
    const browser = await personAt(url)
    const { program, tokens } = await connected(browser, 'read')
    const other = await connected(browser, 'read write')
    const key = other.tokens.access_token
    const response = await fetch(`${url}/api/account/events`, {
      headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'text/event-stream' },
    })
    expect(response.status).toBe(200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read = async (sign: string): Promise<string> => {
      let text = ''
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        text += value ?? ''
        if (done || text.includes(sign)) return text
      }
    }
    await call(url, 'POST', '/api/characters/', key, { id: 'before', name: 'Before' })
    expect(await read('before')).toContain('before')
    await revoked(program, tokens.refresh_token ?? '')
    await call(url, 'POST', '/api/characters/', key, { id: 'after', name: 'After' })
    expect(await read('after')).not.toContain('"after"')
  })

  test('is told nothing of it either where it waits for an answer', async () => {
    const browser = await personAt(url)
    const { program, tokens } = await connected(browser, 'read')
    const key = (await connected(browser, 'read write')).tokens.access_token
    const path = '/api/account/events?wait_seconds=30'
    const waiting = call(url, 'GET', path, tokens.access_token).catch((cause: Error) => cause)
    const { id } = await call<{ id: string }>(url, 'GET', '/api/account', key)
    const isFollowed = () => server.world.ports.waiting.keys().some((name) => name.includes(id))
    await until(isFollowed)
    await revoked(program, tokens.refresh_token ?? '')
    await call(url, 'POST', '/api/characters/', key, { id: 'later', name: 'Later' })
    expect(String(await waiting)).toContain('401')
  })
})
