import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { warningsOf } from '#src/apps/check.ts'
import { conflictOf, refuseReserved } from '#src/apps/conflicts.ts'
import { smallManifest } from '#src/apps/example.ts'
import { lifecycleData, tellingFailure } from '#src/apps/lifecycle.ts'
import { Manifest } from '#src/apps/manifest.ts'
import { onManifest } from '#src/apps/places.ts'
import { applyingOf, shownProvision } from '#src/apps/provision.ts'
import { review, soundManifest } from '#src/apps/review.ts'
import { webhookDelivery } from '#src/agents/app/webhook.ts'
import { askedFor, Provisioned, slimProvisioned } from '#src/apps/revisions/apply.ts'
import { neededSecrets, secretWarnings } from '#src/apps/revisions/needed-secrets.ts'
import { refuseOwnersPart } from '#src/apps/revisions/owners-part.ts'
import { writesOf } from '#src/apps/revisions/writes.ts'
import { answer } from '#src/core/answer.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Context } from '#src/core/context.ts'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument } from '#src/core/schema.ts'

export const provision = operation({
  name: 'agent_apps.provision',
  summary: 'Create a whole team of agents from one App Manifest: all of it or nothing.',
  description:
    'Agents get the id <app_id>--<local_id> unless they name one. Every error of the manifest is ' +
    'reported at once. dry_run shows what would be done and does nothing.',
  use: 'To deploy a team: agents, their tasks and who hands on to whom. Next: tasks_run of the first task (char_id <app_id>--<local_id>).',
  example: { manifest: smallManifest, dry_run: true },
  auth: 'key',
  http: { method: 'POST', path: '/api/agent-apps/', status: 201, mayPreview: true },
  toolsets: ['core', 'apps'],
  role: 'provision_app',
  input: z.strictObject({
    manifest: uncheckedDocument(Manifest),
    dry_run: z.boolean().default(false),
  }),
  document: 'manifest',
  bodyBytes: 5_000_000,
  verbatim: true,
  output: Provisioned,
  slim: slimProvisioned,
  refuses: ['manifest_invalid', 'app_id_taken', 'character_id_taken', 'id_reserved'],
  quota: 'apps',

  run({ manifest: raw, dry_run }, context) {
    if (dry_run) return onManifest(context, () => preview(context, raw))
    const app = (): Promise<undefined> => Promise.resolve(undefined)
    return tellingFailure(context, { raw, app }, () =>
      onManifest(context, () => create(context, raw)),
    )
  },
})

type Needed = Context<'key'>

async function preview(context: Needed, raw: unknown) {
  const { shown, applying } = await decide(context, raw)
  await conflictOf(context, applying.provision)
  return answer(shown, { preview: true })
}

async function create(context: Needed, raw: unknown) {
  const { shown, applying } = await decide(context, raw)
  const { provision, webhookSecret } = applying
  const { app } = provision
  await turnOf(context.clock)
  const { writes, bytes } = await writesOf(context, applying)
  const now = context.clock.now()
  const data = lifecycleData(app, context.caller.keyId, shown.warnings)
  const told = { type: 'agent_app.provisioned', data, now }
  const insert = webhookDelivery(app, webhookSecret, told, context.sealer)
  if (insert) writes.push({ in: 'deliveries', insert })
  writes.push(...askedFor(context, applying, shown))
  writes.push(context.quotas.counted('apps', 1, context.caller))
  await turnOf(context.clock)
  const note = { operation: 'agent_apps.provision', about: { app_id: app.app_id } }
  const options = { revision: app.revision, bytes }
  const done = await commitAudited(context, shown, writes, note, options).catch((cause: unknown) =>
    conflictOf(context, provision, cause),
  )
  return done
}

async function decide(context: Needed, raw: unknown) {
  const checked = await review(context, raw)
  const manifest = soundManifest(raw, checked)
  await refuseReserved(context, manifest)
  await turnOf(context.clock)
  const applying = await applyingOf(context, { raw, manifest })
  await refuseOwnersPart(context, applying.provision, undefined, false)
  const secrets_needed = await neededSecrets(context.store, manifest, applying.provision.app)
  const missing = secretWarnings(secrets_needed)
  const warnings = [...warningsOf(checked.findings), ...missing]
  const shown = { ...shownProvision(applying.provision, warnings), secrets_needed }
  return { shown, applying }
}
