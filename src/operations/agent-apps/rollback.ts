import * as z from 'zod'
import { appRevisionId } from '#src/agents/app/app.ts'
import { Reapplied, reapplied } from '#src/apps/revisions/apply.ts'
import { wholeManifest } from '#src/apps/revisions/current-app.ts'
import { operation } from '#src/core/operation.ts'
import { noRevision } from '#src/apps/access.ts'

export const rollback = operation({
  name: 'agent_apps.rollback',
  summary: 'Apply the manifest of an earlier revision again, as a new revision.',
  description:
    'Its secrets are restored with it. prune also removes what later revisions added. The current ' +
    'revision undoes changes made by hand.',
  example: { app_id: 'newsroom', revision: 1, prune: true },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/{app_id}/rollback' },
  toolsets: ['apps'],
  input: z.strictObject({
    app_id: z.string().max(128),
    revision: z.int().min(1),
    prune: z.boolean().default(false).describe('Remove what that manifest does not name.'),
  }),
  output: Reapplied,
  refuses: [
    'app_not_found',
    'forbidden',
    'revision_not_found',
    'manifest_invalid',
    'character_id_taken',
    'id_reserved',
    'revision_mismatch',
    'write_conflict',
  ],

  run({ app_id: appId, revision, prune }, context) {
    const { store } = context
    const manifestOf = async (): Promise<unknown> => {
      const kept = await store.app_revisions.get(appRevisionId(appId, revision))
      if (!kept) return noRevision(appId, revision)
      return wholeManifest(context, kept)
    }
    const operation = 'agent_apps.rollback'
    return reapplied(context, { operation, appId, manifestOf, prune })
  },
})
