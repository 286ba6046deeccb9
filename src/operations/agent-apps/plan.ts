import * as z from 'zod'
import { Drift } from '#src/apps/drift.ts'
import { smallManifest } from '#src/apps/example.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { Plan } from '#src/apps/plan.ts'
import { previewed } from '#src/apps/revisions/apply.ts'
import { NeededSecret } from '#src/apps/revisions/needed-secrets.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument, Warning } from '#src/core/schema.ts'

export const plan = operation({
  name: 'agent_apps.plan',
  summary: 'Show what an update with this manifest would do; nothing is changed.',
  description: 'Nothing would change if create, update and remove are empty.',
  example: { app_id: 'newsroom', manifest: smallManifest, prune: true },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/{app_id}/plan' },
  toolsets: ['apps'],
  input: z.strictObject({
    app_id: z.string().max(128),
    manifest: uncheckedDocument(Manifest),
    prune: z.boolean().default(false),
  }),
  document: 'manifest',
  bodyBytes: 5_000_000,
  verbatim: true,
  output: Plan.extend({
    drift: z.array(Drift).describe('What was changed by hand'),
    secrets_needed: z.array(NeededSecret),
    warnings: z.array(Warning),
  }),
  refuses: [
    'app_not_found',
    'forbidden',
    'manifest_invalid',
    'character_id_taken',
    'id_reserved',
    'revision_mismatch',
  ],
  reads: true,

  async run({ app_id: appId, manifest, prune }, context) {
    const { shown } = await previewed(context, {
      appId,
      manifestOf: () => Promise.resolve(manifest),
      prune,
    })
    const { drift, secrets_needed, warnings } = shown
    return { ...shown.plan, drift, secrets_needed, warnings }
  },
})
