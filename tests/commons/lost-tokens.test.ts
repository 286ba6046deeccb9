import { beforeEach, describe, expect, test } from 'vitest'
import type { DoorAnswer } from '#protocol/door.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import { openA2a, type A2aWorld } from '#tests/protocol/a2a-harness.ts'
import { smallDoor } from '#tests/protocol/mcp-harness.ts'
import { legacy, modern, textOf } from '#tests/protocol/mcp-requests.ts'
import { memberOf } from '#tests/support/members.ts'
import { stores } from '#tests/support/stores.ts'
import { wrongToken } from '#tests/support/doors/challenge.ts'

interface Tried {
  operation?: string
  token: string
  /** The idempotency key. */
  under?: string | undefined
}

type Try = (tried: Tried) => Promise<DoorAnswer>

const rotating = 'commons.identities.rotate'
const under = '6f1c9d2e-0000-4000-8000-4711aa4712aa'
/** Whom the doors have counted by themselves. */
let counted: (string | undefined)[] = []
let world: A2aWorld

function admit({ subject }: { subject: string | undefined }): LimitState {
  counted.push(subject)
  const state = { name: 'reads', count: 9, seconds: 9, remaining: 9, resetSeconds: 9 } as const
  return { ...state, admitted: true }
}

const meta = (key: string | undefined) => (key === undefined ? {} : { 'idempotency-key': key })
const byMcp =
  (send: typeof modern): Try =>
  ({ operation = rotating, token, under: key }) => {
    const name = operation.replaceAll('.', '_')
    const headers = { authorization: `Bearer ${token}` }
    const params = { name, arguments: {}, _meta: meta(key) }
    return smallDoor(world.core, { admit }).handle(send('tools/call', params, { headers }))
  }
const byA2a: Try = ({ operation = rotating, token, under: key }) =>
  world.post(
    { jsonrpc: '2.0', id: 7, method: operation, params: { _meta: meta(key) } },
    { key: token },
  )

const doors: [string, Try][] = [
  ['MCP of 2026-07-28', byMcp(modern)],
  ['MCP of 2025', byMcp(legacy)],
  ['A2A', byA2a],
]

describe.each(doors)('over %s, a handle whose new token was lost', (_, attempt) => {
  let token: string
  let next: string

  beforeEach(async () => {
    const [kind] = stores()
    if (!kind) throw new Error('there is no store to test with')
    world = openA2a(await kind.open(), { admit })
    token = (await memberOf(world)).token
    next = tokenIn(await textOf(await attempt({ token, under })))
    counted = []
  })

  function tokenIn(text: string): string {
    const found = /cmn_\w+/.exec(text)?.[0]
    if (found === undefined) throw new Error(`no token in ${text}`)
    return found
  }

  test('gets it by the old token and the same idempotency key', async () => {
    const again = await attempt({ token, under })
    expect(again).toMatchObject({ status: 200, secret: true })
    expect(tokenIn(await textOf(again))).toBe(next)
    expect(next).not.toBe(token)
    await world.ask('commons.me.get', {}, next)
  })

  test.each([
    ['another idempotency key', { under: `${under}-2` }],
    ['none', { under: undefined }],
    ['another operation', { operation: 'commons.me.get' }],
    ['one that needs no token', { operation: 'commons.boards.list' }],
  ])('gets nothing by %s', async (_, change) => {
    const refused = await attempt({ token, under, ...change })
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': wrongToken } })
    const text = await textOf(refused)
    expect(text).toContain('token_revoked')
    expect(text).not.toContain('cmn_')
  })

  test('has its address counted for each attempt', async () => {
    await attempt({ token })
    await attempt({ token, operation: 'commons.me.get', under })
    expect(counted).toEqual([undefined, undefined])
  })

  test('gets nothing by what is no token', async () => {
    expect(await attempt({ token: `${token}x`, under })).toMatchObject({ status: 401 })
  })
})

test('an ended token opens nothing in a batch of A2A, nor by a message', async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is no store to test with')
  world = openA2a(await kind.open(), { admit })
  const { token } = await memberOf(world)
  await byA2a({ token, under })
  const call = { jsonrpc: '2.0', id: 1, method: rotating, params: { _meta: meta(under) } }
  expect(await world.post([call], { key: token })).toMatchObject({ status: 401 })
  const data = { kind: 'data', data: { operation: rotating } }
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [data] }
  const sent = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }
  expect(await world.post(sent, { key: token })).toMatchObject({ status: 401 })
})
