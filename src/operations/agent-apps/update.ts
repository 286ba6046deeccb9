import * as z from 'zod'
import { smallManifest } from '#src/apps/example.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { previewed, Reapplied, reapplied } from '#src/apps/revisions/apply.ts'
import { answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument } from '#src/core/schema.ts'

export const update = operation({
  name: 'agent_apps.update',
  summary: 'Make an app what this whole manifest says: all of it or nothing.',
  description:
    'Agents match by local_id, tasks by task_id, else name. What is no longer named stays, ' +
    'unless prune is set. Changes made by hand are overwritten; the answer lists them as drift. ' +
    '*** keeps a secret.',
  use: 'To change an app: send the whole manifest, with dry_run first.',
  example: { app_id: 'newsroom', manifest: smallManifest, dry_run: true },
  auth: 'key',
  http: { method: 'PUT', path: '/api/agent-apps/{app_id}' },
  toolsets: ['core', 'apps'],
  input: z.strictObject({
    app_id: z.string().max(128),
    manifest: uncheckedDocument(Manifest),
    prune: z.boolean().default(false).describe('Remove what the manifest no longer names.'),
    dry_run: z.boolean().default(false),
  }),
  document: 'manifest',
  bodyBytes: 5_000_000,
  verbatim: true,
  output: Reapplied,
  refuses: [
    'app_not_found',
    'forbidden',
    'manifest_invalid',
    'character_id_taken',
    'id_reserved',
    'revision_mismatch',
    'write_conflict',
  ],

  async run({ app_id: appId, manifest, prune, dry_run }, context) {
    const apply = { appId, manifestOf: () => Promise.resolve(manifest), prune }
    if (!dry_run) return reapplied(context, { ...apply, operation: 'agent_apps.update' })
    const { shown } = await previewed(context, apply)
    return answer(shown, { preview: true })
  },
})
