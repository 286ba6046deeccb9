import * as z from 'zod'
import { noRevision, ownApp } from '#src/apps/access.ts'
import { appRevisionId } from '#src/agents/app/app.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument } from '#src/core/schema.ts'

export const manifest = operation({
  name: 'agent_apps.manifest',
  summary: 'Read the manifest of an app exactly as it was sent, except secrets, which show ***.',
  example: { app_id: 'newsroom' },
  auth: 'key',
  http: { method: 'GET', path: '/api/agent-apps/{app_id}/manifest' },
  toolsets: ['apps'],
  role: 'read_manifest',
  input: z.strictObject({
    app_id: z.string().max(128),
    revision: z.int().min(1).optional().describe('By default the current one.'),
  }),
  output: uncheckedDocument(Manifest),
  refuses: ['app_not_found', 'forbidden', 'revision_not_found'],

  async run({ app_id, revision }, context) {
    const app = await ownApp(context, app_id)
    const wanted = revision ?? app.revision
    const kept = await context.store.app_revisions.get(appRevisionId(app_id, wanted))
    if (!kept) return noRevision(app_id, wanted)
    return new Answer(kept.manifest, { revision: kept.revision })
  },
})
