import { a2aClients } from '../../a2a-clients.ts'
import { inCommons, onPlatform, withAgent, type Speak } from './a2a-trials.ts'
import type { Client } from './client.ts'
import { installedVersion } from './installed.ts'
import type { Stage } from './stage.ts'

const name = '@a2a-js/sdk'

/** The official client in both versions, at the doors of the platform, the Commons and an agent. */
export function officialA2a(stage: Stage): Client[] {
  return a2aClients.flatMap(({ version: mode, speak }) => {
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
