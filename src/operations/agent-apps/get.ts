import * as z from 'zod'
import { inPlace } from '#src/apps/places.ts'
import { ownApp } from '#src/apps/access.ts'
import { App, slimApp } from '#src/agents/app/app.ts'
import { Drift, driftSteps } from '#src/apps/drift.ts'
import { NeededSecret, neededSecrets } from '#src/apps/revisions/needed-secrets.ts'
import { movedOf } from '#src/apps/revisions/current-app.ts'
import { answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { inPortions } from '#src/core/turns/portions.ts'

export const get = operation({
  name: 'agent_apps.get',
  summary: 'Read one app: its agents, team and webhook, and what was changed by hand since.',
  use: 'The ids of its agents too.',
  example: { app_id: 'newsroom' },
  auth: 'key',
  http: { method: 'GET', path: '/api/agent-apps/{app_id}' },
  toolsets: ['core', 'apps'],
  view: 'team',
  role: 'read_app',
  input: z.strictObject({ app_id: z.string().max(128) }),
  output: App.extend({ drift: z.array(Drift), secrets_needed: z.array(NeededSecret) }),
  slim: { summary: [...slimApp.summary, 'drift', 'secrets_needed'] },
  refuses: ['app_not_found', 'forbidden'],

  async run({ app_id }, context) {
    const app = await ownApp(context, app_id)
    const standing = await inPlace(context, () => movedOf(context, app))
    const { last } = standing
    const secrets_needed = last ? await neededSecrets(context.store, last, app) : []
    const drift = await inPortions(driftSteps(standing), context.clock)
    return answer({ ...app, drift, secrets_needed }, { revision: app.revision })
  },
})
