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

  test('is called for nothing any more where it asked to be', async () => {
    const browser = await personAt(url)
    const key = (await connected(browser, 'read write admin')).tokens.access_token
    const task = { task_id: 'greet', name: 'Greet', runtime: 'template', prompt: 'Hello' }
    const heart = { tasks: [{ ...task, requires_approval: true }] }
    await call(url, 'POST', '/api/characters/', key, { id: 'gated', name: 'Gated', heart })
    const program = await registered(url)
    const request = await begun(program, { scope: 'run', resource: `${url}/a2a/gated/` })
    const tokens = await exchanged(program, request, await agreedIn(browser, request))
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { task_id: 'greet' } }] }
    const configuration = {
      returnImmediately: true,
      taskPushNotificationConfig: { url: 'https://receiver.example/tasks' },
    }
    const params = { message, configuration }
    const sent = await fetch(`${url}/a2a/gated/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        'content-type': 'application/json',
        'a2a-version': '1.0',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }),
    })
    expect(await sent.json()).not.toHaveProperty('error')

    const { push_targets, commons_webhooks } = server.world.ports.store
    const [target] = await push_targets.find({ char_id: 'gated' })
    expect(target?.made_by).toBeDefined()
    await revoked(program, tokens.refresh_token ?? '')
    expect(await push_targets.count({ char_id: 'gated' })).toBe(0)

    const member = await connected(browser, 'read write')
    const hook = { url: 'https://receiver.example/commons', as_char_id: 'gated' }
    await call(url, 'POST', '/api/commons/webhooks', member.tokens.access_token, hook)
    expect(await commons_webhooks.count({})).toBe(1)
    await revoked(member.program, member.tokens.refresh_token ?? '')
    expect(await commons_webhooks.count({})).toBe(0)
  })
})
