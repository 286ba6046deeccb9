import { refusalOf } from './doors.ts'
import { must } from './screen.ts'
import type { Stage } from './stage.ts'

/** A manifest with five faults, each of its own kind. */
function badManifest(appId: string): Record<string, unknown> {
  return {
    manifest_version: 1,
    app_id: appId,
    name: 'A team that cannot be',
    agents: [
      {
        local_id: 'ada',
        name: 'Ada',
        brain: { temperature: 3 },
        heart: {
          tasks: [
            {
              task_id: 'wake',
              name: 'Wake',
              triggers: [{ type: 'cron', config: { cron: '*/5 * * * *' } }],
              output_sharing: { enabled: true, target_agent_id: 'bob', target_task_id: 'lsiten' },
            },
          ],
        },
      },
      { local_id: 'bob', name: 'Bob', heart: { tasks: [{ task_id: 'listen', name: 'Listen' }] } },
      { local_id: 'bob', name: 'Bob again' },
    ],
    connections: [{ from: 'ada', to: 'bobb' }],
  }
}

/** Shows that a manifest is taken whole or not at all. */
export async function sendBadManifest({ screen, mcp, rest, manifest }: Stage): Promise<void> {
  const appId = `${manifest.app_id}-bad`
  await screen.step(
    'A manifest with five faults is refused, with all of them',
    'MCP, agent_apps_provision; REST, GET /api/agent-apps/{app_id}',
    async (say) => {
      const refusal = await refusalOf(
        mcp.call('agent_apps_provision', { manifest: badManifest(appId) }),
      )
      must(refusal.code === 'manifest_invalid', refusal.message)
      for (const { pointer, message } of refusal.errors) say(`${pointer}: ${message}`)
      must(refusal.errors.length === 5, `there are ${refusal.errors.length} findings, not 5`)
      const missing = await refusalOf(rest.call('GET', `/api/agent-apps/${appId}`))
      must(missing.code === 'app_not_found', missing.message)
      say('and nothing of it was provisioned')
    },
  )
}

/** Leaves the team where it is, and says how a person takes it over. */
export async function stay({ screen, rest, manifest, claimUrl }: Stage): Promise<void> {
  await screen.step(
    'The team stays, and a person may take it over',
    'REST, GET /api/agent-apps/{app_id}',
    async (say) => {
      const app = await rest.call<{ agents: object[] }>('GET', `/api/agent-apps/${manifest.app_id}`)
      must(app.agents.length === manifest.agents.length, 'not every agent is there')
      say(`${manifest.app_id}, with ${app.agents.length} agents`)
      say(`claim it at ${claimUrl}`)
    },
  )
}

interface Teardown {
  agents: { id: string; action: string }[]
}

/** Takes the team down, and gives the key back. */
export async function leave({ screen, rest, a2a, manifest, idOf }: Stage): Promise<void> {
  await screen.step(
    'The team is taken down, and the key revoked',
    'REST, DELETE /api/agent-apps/{app_id}; A2A, api_keys.revoke',
    async (say) => {
      const gone = await rest.call<Teardown>('DELETE', `/api/agent-apps/${manifest.app_id}`)
      must(
        gone.agents.length === manifest.agents.length &&
          gone.agents.every(({ action }) => action === 'deleted'),
        'not every agent was deleted',
      )
      const missing = await refusalOf(rest.call('GET', `/api/characters/${idOf('editor')}`))
      must(missing.code === 'character_not_found', missing.message)
      say(`${gone.agents.length} agents deleted, with their tasks and friendships`)
      const { key } = await rest.call<{ key: { id: string } }>('GET', '/api/account')
      await a2a.call('api_keys.revoke', { key_id: key.id })
      const refused = await refusalOf(rest.call('GET', '/api/account'))
      must(refused.code === 'invalid_credential', refused.message)
      say(`${key.id} revoked: the next request with it was refused`)
    },
  )
}
