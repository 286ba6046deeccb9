import * as z from 'zod'
import { App, slimApp } from '#src/agents/app/app.ts'
import { resumeApp } from '#src/apps/pause/resume.ts'
import { operation } from '#src/core/operation.ts'

export const resume = operation({
  name: 'agent_apps.resume',
  summary: 'Resume a paused app with the tasks that were paused with it.',
  description:
    'Tasks that were paused or disabled by themselves stay so. Schedules continue with the next ' +
    'fire. Messages, events and results that came meanwhile wait as queued runs (task_paused): ' +
    'they run now, or with held: "drop" are cancelled.',
  example: { app_id: 'newsroom' },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/{app_id}/resume' },
  toolsets: ['apps'],
  repeatable: true,
  input: z.strictObject({
    app_id: z.string().max(128),
    held: z.enum(['run', 'drop']).default('run').describe('What becomes of runs that wait for it.'),
  }),
  output: App,
  slim: slimApp,
  refuses: ['app_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  run: ({ app_id, held }, context) => resumeApp(context, app_id, held),
})
