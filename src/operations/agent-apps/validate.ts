import * as z from 'zod'
import { Finding } from '#src/apps/check.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { onManifest } from '#src/apps/places.ts'
import { review } from '#src/apps/review.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument, Warning } from '#src/core/schema.ts'
import { smallManifest } from '#src/apps/example.ts'

export const validate = operation({
  name: 'agent_apps.validate',
  summary: 'Check an App Manifest and list every finding; nothing is changed.',
  description: 'A manifest is valid when no finding has the severity error.',
  use: 'Before agent_apps_provision: mend every finding, warnings too.',
  example: { manifest: smallManifest },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/validate' },
  toolsets: ['core', 'apps'],
  input: z.strictObject({ manifest: uncheckedDocument(Manifest) }),
  document: 'manifest',
  bodyBytes: 5_000_000,
  verbatim: true,
  output: z.object({
    valid: z.boolean(),
    findings: z.array(Finding),
    warnings: z.array(Warning).optional().describe('How the manifest was understood'),
  }),
  refuses: [],
  reads: true,

  async run({ manifest }, context) {
    const { findings } = await onManifest(context, () => review(context, manifest))
    return { valid: findings.every((finding) => finding.severity !== 'error'), findings }
  },
})
