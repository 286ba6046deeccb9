import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { asOne, request } from '#tests/protocol/a2a-harness.ts'
import { echo, openAgents, saying, talker, type AgentsWorld } from './harness.ts'

let agents: AgentsWorld
let store: Store
let key: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  agents = openAgents(store)
  key = (await agents.account()).key
  await agents.ask('characters.create', { character: talker('ada', [echo]) }, key)
})
afterEach(async () => {
  await agents.doors.close()
  await store.close()
})

const long = 'x'.repeat(2001)
const raw = 'aGk='

describe('a fault in a message', () => {
  test.each([
    ['/message/parts/1/filename', [{ text: 'a' }, { raw, filename: long }], {}],
    ['/message/parts/0/url', [{ url: long }], {}],
    ['/message/metadata/task_id', 'a', { metadata: { task_id: long } }],
    ['/message/contextId', 'a', { contextId: 'unknown' }],
  ])('stands at %s in 1.0', async (pointer, content, more) => {
    const { error } = await agents.rpc('ada', 'SendMessage', saying(content, more), { key })
    expect(error).toMatchObject({ code: -32602, data: { errors: [{ pointer }] } })
  })

  test.each([
    ['/message/parts/0/file/name', { bytes: raw, name: long }],
    ['/message/parts/0/file/uri', { uri: long }],
  ])('stands at %s in 0.3', async (pointer, file) => {
    const { message } = saying([{ kind: 'file', file }], { kind: 'message', role: 'user' })
    const { error } = await agents.rpc03('ada', 'message/send', { message }, { key })
    expect(error).toMatchObject({ code: -32602, data: { errors: [{ pointer }] } })
  })

  test('is told by the name of the member that was sent', async () => {
    const params = saying([{ text: 'a' }, { raw, filename: long }])
    const { error } = await agents.rpc('ada', 'SendMessage', params, { key })
    expect(error).toMatchObject({ message: expect.stringMatching(/^filename: must have at most/) })
  })
})

test('a refusal has the details of the protocol, the object of every door among them', async () => {
  const params = saying([{ text: 'a' }, { raw, filename: long }])
  const answer = await agents.post('ada', request('SendMessage', params), asOne({ key }))
  if (typeof answer.body !== 'string') throw new Error('the answer is no text')
  const { error } = JSON.parse(answer.body) as { error: unknown }
  expect(error).toEqual({
    code: -32602,
    message: expect.stringContaining('filename'),
    data: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'INVALID_INPUT',
        domain: 'abode',
        metadata: { request_id: 'req_1' },
      },
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.parts[1].filename', description: expect.any(String) }],
      },
      {
        '@type': 'type.googleapis.com/google.protobuf.Struct',
        value: expect.objectContaining({
          code: 'invalid_input',
          request_id: 'req_1',
          errors: [expect.objectContaining({ pointer: '/message/parts/1/filename' })],
        }),
      },
    ],
  })
})

test('a file of a type that the card does not name is refused as such', async () => {
  for (const mediaType of ['application/x-unknown', long]) {
    const sent = agents.rpc('ada', 'SendMessage', saying([{ raw, mediaType }]), { key })
    expect((await sent).error?.code).toBe(-32005)
  }
  const taken = saying([{ raw, mediaType: 'Image/PNG; q=1' }, { raw }])
  expect((await agents.rpc('ada', 'SendMessage', taken, { key })).error).toBeUndefined()
})
