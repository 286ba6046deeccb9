import { mcpClients, type Connect } from '#tests/support/mcp-clients.ts'
import type { Client } from './client.ts'
import { installedVersion } from './installed.ts'
import { inCommons, onPlatform } from './mcp-trials.ts'
import type { Stage } from './stage.ts'
import { voiceOf, type Speak } from './voice.ts'

const handshake = '2025-11-25'
const modern = '2026-07-28'

/** The revision that each way of connecting is to end with. */
const revisions: Readonly<Record<string, string>> = {
  'the current client as it comes': handshake,
  'the current client that negotiates': modern,
  'the current client pinned to 2026-07-28': modern,
  'the first client': handshake,
}

/** The official clients of both generations, at both doors. */
export function officialMcp(stage: Stage): Client[] {
  return mcpClients.flatMap(([mode, connect]) => {
    const name = mode.includes('first')
      ? '@modelcontextprotocol/sdk'
      : '@modelcontextprotocol/client'
    const known = { name, version: installedVersion(name), mode }
    const revision = revisions[mode]
    const at = (door: string) => ({ speak: speaker(connect, stage.url + door), stage, revision })
    const [platform, commons] = ['/mcp', '/api/commons/mcp']
    return [
      { ...known, door: platform, trials: onPlatform(at(platform)) },
      { ...known, door: commons, trials: inCommons(at(commons)) },
    ]
  })
}

function speaker(connect: Connect, url: string): Speak {
  return async (key) => voiceOf(await connect(url, { key }))
}
