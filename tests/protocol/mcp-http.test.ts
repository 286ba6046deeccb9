import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { application } from '#adapters/http/application.ts'
import { doorPage } from '#adapters/http/doors.ts'
import { listener, type Listener } from '#adapters/http/server.ts'
import { KeptLog, SmallCore, smallDoor } from './mcp-harness.ts'
import { legacy, modern } from './mcp-requests.ts'
import type { DoorRequest } from '#protocol/door.ts'
import { doorTerms, withoutOperations } from '#tests/support/doors/terms.ts'

const core = new SmallCore()
const door = smallDoor(core)
const terms = doorTerms(core)
let server: Listener
let url: string

beforeAll(async () => {
  const app = application({
    core: withoutOperations(core),
    intake: terms.intake,
    log: new KeptLog(),
    pages: new Map([['/mcp', doorPage(async () => door, terms)]]),
    trustedProxies: [],
    publicUrl: () => 'http://127.0.0.1',
    draining: new AbortController().signal,
  })
  server = listener(app.callback())
  const { port } = await server.listen(0, '127.0.0.1')
  url = `http://127.0.0.1:${port}/mcp`
})
afterAll(() => server.close(0))

/** Sends what the door would be handed, over a real connection. */
function sent({ headers, body }: DoorRequest, signal?: AbortSignal): Promise<Response> {
  const { host: _, ...others } = headers
  const text = JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    // Every member of the tests' headers is a text.
    headers: others as Record<string, string>,
    body: text,
    ...(signal && { signal }),
  })
}

describe.each([
  ['2026-07-28', modern],
  ['2025', legacy],
])('over a connection of the %s era', (_, send) => {
  test('a call ends when its caller hangs up', async () => {
    const leaving = new AbortController()
    const before = core.calls.length
    const waiting = sent(send('tools/call', { name: 'notes_wait' }), leaving.signal).then(
      (response) => response.text(),
    )
    await expect.poll(() => core.calls.length).toBe(before + 1)
    leaving.abort()
    await expect(waiting).rejects.toThrow(/abort/i)
    await expect.poll(() => core.calls.at(-1)?.signal?.aborted).toBe(true)
  })

  test('an answer arrives whole, for any content', async () => {
    const call = { name: 'notes_get', arguments: { id: 'x'.repeat(100_000) } }
    const text = await (await sent(send('tools/call', call))).text()
    expect(text).toContain('ünïcode')
    expect(text.length).toBeGreaterThan(200_000)
  })
})

test('a subscription ends when the door is closed', async () => {
  const closing = smallDoor(core)
  const { body } = await closing.handle(modern('subscriptions/listen', { notifications: {} }))
  if (!(body instanceof ReadableStream)) throw new Error('there is no stream')
  const ended = new Response(body).text()
  await closing.close()
  expect(await ended).toContain('notifications/subscriptions/acknowledged')
})
