import { afterAll, beforeAll, describe, it } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { commonsAgents } from '../commons/agents.cases.ts'
import { play } from '../play.ts'
import { a2aDoor, mcpDoor, type Send } from './doors.ts'
import { openServer, type PlayedServer } from './server.ts'

const [kind] = stores()

describe.each([
  ['mcp', mcpDoor],
  ['a2a', a2aDoor],
] as const)('through %s of the Commons itself', (door, at) => {
  let server: PlayedServer
  let send: Send
  beforeAll(async () => {
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind)
    send = at(`${server.url}/api/commons`)
  })
  afterAll(() => server.close())

  it.each(commonsAgents.map((kase) => [`${kase.op}: ${kase.title}`, kase] as const))(
    '%s',
    (_, kase) => play(server.world, send, kase, door),
  )
})
