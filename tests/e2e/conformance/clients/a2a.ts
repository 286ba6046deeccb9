import { Client as A2aClient, ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransport, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { inCommons, onPlatform, withAgent, type Speak } from './a2a-trials.ts'
import type { Client } from './client.ts'
import { installedVersion } from './installed.ts'
import type { Stage } from './stage.ts'

const name = '@a2a-js/sdk'

/** The official client in both versions, at the doors of the platform, the Commons and an agent. */
export function officialA2a(stage: Stage): Client[] {
  return [
    { mode: '1.0', speak: clientOf1 },
    { mode: '0.3', speak: clientOf03 },
  ].flatMap(({ mode, speak }) => {
    const known = { name, version: installedVersion(name), mode }
    // The card of the Commons is at the well-known place of the whole server.
    const bases = { platform: `${stage.url}/a2a`, commons: stage.url }
    const at = (base: string): Speak => ({ version: mode, speak: (key) => speak(base, key) })
    return [
      { ...known, door: '/a2a', trials: onPlatform(stage, at(bases.platform)) },
      { ...known, door: '/api/commons/a2a', trials: inCommons(at(bases.commons)) },
      {
        ...known,
        door: '/a2a/{char_id}',
        trials: withAgent(stage, (id) => at(`${stage.url}/a2a/${id}`)),
      },
    ]
  })
}

/** A fetch that sends the credential with every request. */
function fetchWith(key: string | undefined): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    return fetch(input, { ...init, headers })
  }
}

async function clientOf1(base: string, key?: string): Promise<A2aClient> {
  const transports = [new JsonRpcTransportFactory({ fetchImpl: fetchWith(key) })]
  return new ClientFactory({ transports }).createFromUrl(`${base}/`)
}

/** It knows no version header, and looks for the address where 0.3 had it. */
async function clientOf03(base: string, key?: string): Promise<A2aClient> {
  const answer = await fetchWith(key)(`${base}/.well-known/agent-card.json`)
  const card: unknown = await answer.json()
  const { url: endpoint } = card as { url: string }
  const transport = new LegacyJsonRpcTransport({ endpoint, fetchImpl: fetchWith(key) })
  return new A2aClient(transport, parseLegacyAgentCard(card))
}
