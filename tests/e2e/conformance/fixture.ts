import { InMemoryServerEventBus, McpServer } from '@modelcontextprotocol/server'
import { application } from '#adapters/http/application.ts'
import { doorPage } from '#adapters/http/doors.ts'
import { listener } from '#adapters/http/server.ts'
import { openLog } from '#adapters/log/json.ts'
import { mcpDoor } from '#protocol/mcp/door.ts'
import type { Stage } from '#protocol/mcp/options.ts'
import { policiesFor } from '#protocol/policies.ts'
import { doorTerms, emptyCore, withoutOperations } from '#tests/support/doors/terms.ts'
import { addContents, addPrompts, addResources, addSchemas, text } from './contents.ts'
import { addRounds, rounds } from './rounds.ts'

/** Something that the suite can be run against. */
export interface Target {
  url: string
  close(): Promise<void>
}

/**
 * The product's own door and its HTTP server, with the tools that the suite asks for behind it.
 * @param server makes one of its own tools for each exchange
 */
export async function openFixture(server?: Stage['server']): Promise<Target> {
  const log = openLog({ level: 'silent' })
  const policies = policiesFor('http://127.0.0.1')
  const bus = new InMemoryServerEventBus()
  const door = mcpDoor({
    core: emptyCore,
    name: 'conformance-fixture',
    version: '1.0.0',
    publicUrl: 'http://127.0.0.1',
    path: '/mcp',
    log,
    ...policies,
    stage: { server: server ?? (() => fixtureServer(bus)), bus },
  })
  const terms = doorTerms(emptyCore, policies.originPolicy)
  const draining = new AbortController()
  const app = application({
    core: withoutOperations(emptyCore),
    intake: terms.intake,
    log,
    pages: new Map([['/mcp', doorPage(async () => door, terms)]]),
    trustedProxies: [],
    publicUrl: () => 'http://127.0.0.1',
    draining: draining.signal,
  })
  const http = listener(app.callback())
  const { port } = await http.listen(0, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      draining.abort()
      await door.close()
      await http.close(0)
    },
  }
}

function fixtureServer(bus: InMemoryServerEventBus): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (state, ctx) => rounds.verify(state, ctx) },
    },
  )
  addContents(server)
  addSchemas(server)
  addRounds(server)
  addResources(server)
  addPrompts(server)
  const description = 'Says that a list has changed.'
  server.registerTool('test_trigger_tool_change', { description }, () => {
    bus.publish({ kind: 'tools_list_changed' })
    return text('Said.')
  })
  server.registerTool('test_trigger_prompt_change', { description }, () => {
    bus.publish({ kind: 'prompts_list_changed' })
    return text('Said.')
  })
  return server
}
