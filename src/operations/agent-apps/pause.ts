import * as z from 'zod'
import { App, slimApp } from '#src/agents/app/app.ts'
import { pauseApp } from '#src/apps/pause/pause.ts'
import { operation } from '#src/core/operation.ts'

export const pause = operation({
  name: 'agent_apps.pause',
  summary: 'Pause a whole app: all of its tasks stand still until it is resumed.',
  description:
    'Each of its tasks that is enabled is paused as by tasks.pause: runs under way continue, and ' +
    'what messages, events and results of others bring waits for agent_apps.resume. Tasks ' +
    'that come into the app meanwhile begin paused. The manifest and its revision stay as they are.',
  aliases: ['stop the whole team'],
  example: { app_id: 'newsroom', reason: 'The sources are being moved.' },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/{app_id}/pause' },
  toolsets: ['apps'],
  repeatable: true,
  input: z.strictObject({
    app_id: z.string().max(128),
    reason: z.string().min(1).max(500).default('Paused on request.'),
  }),
  output: App,
  slim: slimApp,
  refuses: ['app_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  run: ({ app_id, reason }, context) => pauseApp(context, app_id, reason),
})
