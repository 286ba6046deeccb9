import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { sent } from '#tests/operations/sloppy/requests.ts'
import { stores } from '#tests/support/stores.ts'

let server: PlayedServer
beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always the embedded store')
  server = await openServer(kind)
})
afterAll(() => server.close())

describe.each(['mcp', 'a2a'] as const)('by %s, a name that means any operation', (door) => {
  test.each(['call_operation', 'call_tool', 'invokeOperation', 'execute.operation'])(
    '"%s" leads to the call by name',
    async (name) => {
      const { error } = await sent(door, server.url, { name, input: {} })
      expect(error).toMatchObject({
        code: 'operation_not_found',
        suggestion: door === 'mcp' ? 'operations_call' : 'operations.call',
      })
      const [, called = '', input = ''] = /`(\S+) (\{[^`]*\})`/.exec(error?.hint ?? '') ?? []
      const then = await sent(door, server.url, { name: called, input: JSON.parse(input) })
      expect(then.error, error?.hint).toBeUndefined()
    },
  )

  test.each(['call', 'operations', 'call_agent_operation'])('"%s" is another', async (name) => {
    const { error } = await sent(door, server.url, { name, input: {} })
    expect(error?.hint).not.toMatch(/operations[._]call/)
  })
})
