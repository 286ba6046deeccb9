import { expect, it } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { catalog } from '#src/catalog.ts'
import { sending, serving } from '../serve.ts'

it('loads what callers need in many turns of the event loop, and then answers at every door', async () => {
  let turns = 0
  const counted = {
    ...systemClock,
    turn: () => {
      turns += 1
      return systemClock.turn()
    },
  }
  await using server = await serving({}, catalog, { clock: counted })
  const before = turns
  await server.abode.warmUp()
  // One for each thing that is loaded, and others between the tools of the MCP door.
  expect(turns - before).toBeGreaterThan(10)
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
