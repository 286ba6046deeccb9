import { expect, it } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { catalog } from '#src/catalog.ts'
import { sending, serving } from '../serve.ts'

/** A clock that counts the turns of the event loop that work has waited for. */
function counted() {
  const count = { turns: 0 }
  const turn = () => {
    count.turns += 1
    return systemClock.turn()
  }
  return { count, clock: { ...systemClock, turn } }
}

it('loads what callers need in many turns of the event loop, and then answers at every door', async () => {
  const { count, clock } = counted()
  await using server = await serving({}, catalog, { clock })
  const before = count.turns
  await server.abode.warmUp()
  // One for each thing that is loaded, and others between the tools of the MCP door.
  expect(count.turns - before).toBeGreaterThan(10)
  const listed = await server.ask('/mcp', {
    ...sending('POST', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
  })
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('characters_create')])
  const card = await server.ask('/a2a/.well-known/agent-card.json')
  expect([card.status, card.text]).toEqual([200, expect.stringContaining('signatures')])
})

it('opens the authorization server for its first caller, each part in a turn of its own', async () => {
  const { count, clock } = counted()
  await using server = await serving({}, catalog, { clock })
  const before = count.turns
  const { status } = await server.ask('/.well-known/oauth-authorization-server')
  expect(status).toBe(200)
  // Its code, what its library needs of Node, the library, its configuration, and the answer.
  expect(count.turns - before).toBeGreaterThanOrEqual(5)
})
