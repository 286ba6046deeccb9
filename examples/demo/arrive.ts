import { A2a, Mcp, Refused, Rest } from './doors.ts'
import { masked, must, type Screen } from './screen.ts'
import type { Manifest, Stage } from './stage.ts'

interface Claim {
  api_key: string
  claim_url: string
}

/** Gets a key, and opens the three doors with it. */
export async function arrive(
  screen: Screen,
  base: string,
  prepared: Pick<Stage, 'gauges' | 'manifest'>,
): Promise<Stage> {
  const { api_key: key, claim_url: claimUrl } = await screen.step(
    'An agent with no account gets a key',
    'REST, POST /api/agent-claim',
    async (say) => {
      const claim = await claimed(base)
      say(`${masked(claim.api_key)} works at once; no person was involved`)
      const account = await new Rest(base, claim.api_key).call<{ id: string; claimed: boolean }>(
        'GET',
        '/api/account',
      )
      must(!account.claimed, 'no person holds a new account yet')
      say(`it owns account ${account.id}, which a person may claim later by a link`)
      return claim
    },
  )
  const mcp = new Mcp()
  await screen.step(
    'An MCP client connects with that key',
    'MCP, /mcp?toolsets=core',
    async (say) => {
      const revision = await mcp.connect(base, key)
      const tools = await mcp.tools()
      must(tools.includes('agent_apps_provision'), 'the core toolset lacks agent_apps_provision')
      say(`revision ${revision}; ${tools.length} tools, among them ${tools.slice(0, 4).join(', ')}`)
    },
  )
  return {
    ...prepared,
    screen,
    base,
    key,
    claimUrl,
    mcp,
    rest: new Rest(base, key),
    a2a: new A2a(base, key),
    idOf: (localId) => `${prepared.manifest.app_id}--${localId}`,
  }
}

/** @throws Error that says what to do where a server does not give keys to everybody */
async function claimed(base: string): Promise<Claim> {
  const { ABODE_INVITATION: invitation } = process.env
  try {
    const body = { name: 'Demo', ...(invitation && { invitation }) }
    return await new Rest(base).call<Claim>('POST', '/api/agent-claim', body)
  } catch (cause) {
    if (!(cause instanceof Refused) || cause.code !== 'sign_up_closed') throw cause
    throw new Error(
      `${cause.message}\nSet ABODE_INVITATION to a code where the server gives keys by invitation (npm run invite), or play on a server of the demo's own: without an address.`,
      { cause },
    )
  }
}

interface Provisioned {
  agents: { local_id: string; id: string; name: string; tasks: string[] }[]
  connections: object[]
  team: { name: string; members: object[] }
  warnings: { code: string; pointer: string; message: string }[]
}

/** Makes the whole team from one manifest. */
export async function provision({ screen, mcp, manifest }: Stage): Promise<void> {
  await screen.step(
    'A team of agents is provisioned from one manifest',
    'MCP, agent_apps_validate and agent_apps_provision',
    async (say) => {
      const { valid } = await mcp.call<{ valid: boolean }>('agent_apps_validate', { manifest })
      must(valid, 'the manifest of the demo is not valid')
      const made = await mcp.call<Provisioned>(
        'agent_apps_provision',
        { manifest },
        `provision-${manifest.app_id}`,
      )
      must(made.agents.length === manifest.agents.length, 'not every agent was made')
      say(
        `${manifest.app_id}: ${made.agents.length} agents, ${made.connections.length} friendships, ` +
          `the team "${made.team.name}" of ${made.team.members.length}`,
      )
      for (const line of introductions(manifest, made)) say(line)
      for (const warning of made.warnings) say(`warning at ${warning.pointer}: ${warning.message}`)
    },
  )
}

function introductions({ agents }: Manifest, made: Provisioned): string[] {
  return made.agents.map(({ local_id, tasks }) => {
    const spec = agents.find((agent) => agent.local_id === local_id)
    return `- ${spec?.name ?? local_id}, ${local_id}: ${tasks.join(', ')}`
  })
}
