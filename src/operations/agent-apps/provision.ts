import * as z from 'zod'
import { App, AppAgent } from '#src/agent-apps/app.ts'
import { Manifest } from '#src/agent-apps/manifest.ts'
import { smallManifest } from '#src/agent-apps/example.ts'
import { conflictOf, refuseReserved } from '#src/agent-apps/conflicts.ts'
import { provisionOf, shownProvision } from '#src/agent-apps/provisioning.ts'
import { warningsOf } from '#src/agent-apps/check.ts'
import { review } from '#src/agent-apps/reviewing.ts'
import { answer } from '#src/core/answer.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument, Warning } from '#src/core/schema.ts'
import { Edge } from '#src/friends/edge.ts'

const Item = z.object({ kind: z.string(), id: z.string() })
const items = z.array(Item)

export const provision = operation({
  name: 'agent_apps.provision',
  summary: 'Create a whole team of agents from one App Manifest: all of it or nothing.',
  description:
    'Agents get the id <app_id>--<local_id> unless they name one. Every error of the manifest is ' +
    'reported at once. dry_run shows what would be done and does nothing.',
  example: { manifest: smallManifest, dry_run: true },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/', status: 201 },
  toolsets: ['core', 'apps'],
  input: z.strictObject({
    manifest: uncheckedDocument(Manifest),
    dry_run: z.boolean().default(false),
  }),
  document: 'manifest',
  bodyBytes: 5_000_000,
  verbatim: true,
  output: z.object({
    app: App,
    agents: z.array(AppAgent),
    connections: z.array(Edge),
    team: App.shape.team,
    warnings: z.array(Warning),
    plan: z.object({ create: items, update: items, unchanged: items, remove: items }),
  }),
  refuses: ['manifest_invalid', 'app_id_taken', 'character_id_taken', 'id_reserved'],
  quota: 'apps',

  async run({ manifest: raw, dry_run }, context) {
    const { manifest, findings } = await review(context, raw)
    if (!manifest) {
      const errors = findings.filter((finding) => finding.severity === 'error')
      return refuse('manifest_invalid', `The manifest has ${errors.length} errors.`, {
        errors,
        hint: 'Nothing was provisioned. agent_apps.validate gives these findings and the warnings.',
      })
    }
    await refuseReserved(context, manifest)
    const { plan, writes, bytes } = await provisionOf(context, raw, manifest)
    const shown = shownProvision(plan, warningsOf(findings))
    if (dry_run) {
      await conflictOf(context, plan)
      return answer(shown, { preview: true })
    }
    return context
      .commit(shown, [...writes, context.quotas.counted('apps', 1, context.caller)], {
        revision: plan.app.revision,
        bytes,
      })
      .catch((cause: unknown) => conflictOf(context, plan, cause))
  },
})
