import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import type { Slim } from '#src/core/input/slim.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import { ownApp } from '../access.ts'
import { App, AppAgent } from '#src/agents/app/app.ts'
import { warningsOf } from '../check.ts'
import { overtaken, refuseReserved, refuseTaken } from '../conflicts.ts'
import { Drift, driftSteps } from '../drift.ts'
import { lifecycleData, tellingFailure } from '../lifecycle.ts'
import { isChange, Plan, type Standing } from '../plan.ts'
import { applyingOf, shownProvision, type Applying } from '../provision.ts'
import { tooManyLeftSteps, tooManySteps } from '../task-bound.ts'
import { onManifest } from '../places.ts'
import { review, soundManifest } from '../review.ts'
import { webhookDelivery } from '#src/agents/app/webhook.ts'
import { answer, type Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { Warning } from '#src/core/schema.ts'
import { emitted } from '#src/events/emit.ts'
import { Edge } from '#src/agents/friends/edge.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import type { Next } from '#src/core/words/next-call.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Write } from '#src/ports/store.ts'
import { gatesOf } from './gates.ts'
import { noteFixed } from './fixed.ts'
import { refuseOwnersPart } from './owners-part.ts'
import { missingSecrets, NeededSecret, neededSecrets, secretWarnings } from './needed-secrets.ts'
import { standingOf } from './current-app.ts'
import { unmaskSteps } from './unmask.ts'
import { applyWarnings } from './warnings.ts'
import { writesOf } from './writes.ts'

type Needed = Context<'key'>

/** The answer of provisioning. */
export const Provisioned = z.object({
  app: App,
  agents: z.array(AppAgent),
  connections: z.array(Edge),
  team: App.shape.team,
  secrets_needed: z.array(NeededSecret),
  warnings: z.array(Warning),
  plan: Plan,
})

/** What a summary shows of what was provisioned. */
export const slimProvisioned: Slim = {
  summary: ['agents', 'secrets_needed', 'warnings'],
}

/** The answer of applying a manifest to an existing app. */
export const Reapplied = Provisioned.extend({
  drift: z.array(Drift).describe('What had been changed by hand'),
})
/** The answer of applying a manifest to an existing app. */
export type Reapplied = z.infer<typeof Reapplied>

/** Which manifest is applied to which app, and how. */
export interface Apply {
  appId: string
  /** Returns the manifest, as sent or as stored. */
  manifestOf: () => Promise<unknown>
  prune: boolean
}

/** The operation that does it. */
export interface Doing {
  operation: 'agent_apps.update' | 'agent_apps.rollback'
}

/**
 * Makes an app what a manifest says, in one commit that is conditional on all that the decision was based
 * on: by local id, as a whole, never merged. If there is nothing to do, nothing is written.
 * @throws Refusal `app_not_found`, `forbidden`, `revision_mismatch`, `write_conflict`,
 * `manifest_invalid`, `character_id_taken`, `id_reserved`
 */
export function reapplied(context: Needed, apply: Apply & Doing): Promise<Answer<Reapplied>> {
  const attempt = (): Promise<Answer<Reapplied>> => retryUnmet(() => once(context, apply))
  const app = () => context.store.apps.get(apply.appId)
  return tellingFailure(context, { raw: undefined, app }, () => onManifest(context, attempt))
}

/** The same without doing it. */
export function previewed(context: Needed, apply: Apply): Promise<Decided> {
  return onManifest(context, () => decide(context, apply))
}

/** The decision about an apply, and what the caller is told of it. */
export interface Decided {
  shown: Reapplied
  applying: Applying
  standing: Standing
}

async function decide(context: Needed, { appId, manifestOf, prune }: Apply): Promise<Decided> {
  const app = await ownApp(context, appId)
  mustBe(app.revision, context.expected)
  const standing = await standingOf(context, app)
  const sent = await manifestOf()
  const tooMany = await inPortions(tooManySteps(sent), context.clock)
  if (tooMany.length > 0) soundManifest(sent, { findings: tooMany })
  const { kept, live } = standing
  const raw = await inPortions(unmaskSteps(sent, kept, live, context.sealer), context.clock)
  const checked = await review(context, raw)
  const manifest = soundManifest(sent, checked, noteFixed(raw, standing, prune))
  await refuseReserved(context, manifest, app.agents)
  await turnOf(context.clock)
  const applying = await applyingOf(context, { raw, manifest }, standing, prune)
  const { provision } = applying
  await refuseOwnersPart(context, provision, standing, prune)
  const tooManyLeft = await inPortions(tooManyLeftSteps(provision, standing, prune), context.clock)
  soundManifest(sent, checked, tooManyLeft)
  await refuseTaken(context, provision.planned)
  const secrets_needed = await neededSecrets(context.store, manifest, provision.app)
  const missing = secretWarnings(secrets_needed)
  const drift = await inPortions(driftSteps(standing), context.clock)
  const noted = [...warningsOf(checked.findings), ...applyWarnings(manifest, provision)]
  const shown = {
    ...shownProvision(provision, [...noted, ...missing]),
    secrets_needed,
    drift,
  }
  return { shown, applying, standing }
}

async function once(context: Needed, apply: Apply & Doing): Promise<Answer<Reapplied>> {
  const { shown, applying, standing } = await decide(context, apply)
  const { provision } = applying
  const { revision } = provision.app
  if (!isChange(provision.plan)) return answer(shown, { revision })
  await turnOf(context.clock)
  const applied = await writesOf(context, applying, standing, apply.prune)
  await turnOf(context.clock)
  const further = await consequencesOf(context, applying, shown.warnings)
  const asked = askedFor(context, applying, shown)
  await turnOf(context.clock)
  const gates = gatesOf(context, applying, apply.prune)
  const all = [...applied.writes, ...further, ...asked, ...gates.writes]
  const about = { app_id: provision.app.app_id }
  const note = { operation: apply.operation, about, changed: gates.changed }
  const options = { revision, bytes: applied.bytes }
  const done = await commitAudited(context, shown, all, note, options).catch((cause: unknown) =>
    overtaken(context, provision, cause),
  )
  await applied.finish()
  return done
}

/** What others are told of an app that was updated. */
async function consequencesOf(
  { store, sealer, clock, caller }: Needed,
  { provision: { app, plan }, webhookSecret }: Applying,
  warnings: readonly Warning[],
): Promise<Write[]> {
  const now = clock.now()
  const data = lifecycleData(app, caller.keyId, warnings)
  const told = { type: 'agent_app.updated', data, now }
  const insert = webhookDelivery(app, webhookSecret, told, sealer)
  const { app_id, name, revision, manifest_hash } = app
  const counts = Object.entries(plan).map(([what, items]) => [what, items.length])
  const event = {
    type: 'app.updated',
    ownerId: app.owner_id,
    charId: null,
    appId: app_id,
    data: { app_id, name, revision, manifest_hash, ...Object.fromEntries(counts) },
  }
  const events = await emitted(store, event, now)
  return insert ? [{ in: 'deliveries', insert }, ...events] : events
}

/** A notice names so many secrets, and their agents: `agent_apps.get` has all. */
const namedAtMost = 200

/** The notice that asks the owner for required secrets that are not set. */
export function askedFor(
  { clock }: Pick<Needed, 'clock'>,
  { provision: { app } }: Applying,
  { secrets_needed }: { secrets_needed: readonly NeededSecret[] },
): Write[] {
  const warnings = secretWarnings(secrets_needed)
  if (warnings.length === 0) return []
  const message = `The app "${app.id}" needs secrets. ${warnings.map((one) => one.message).join(' ')}`
  const missing = missingSecrets(secrets_needed, namedAtMost)
  const agents = [...new Set(missing.map(({ char_id }) => char_id))]
  const next: Next[] = [
    { operation: 'agent_apps.get', input: { app_id: app.app_id } },
    ...agents.map((char_id) => ({ operation: 'characters.secrets.update', input: { char_id } })),
  ]
  // Of more it could not say when all of them are set.
  const details = { next, ...(missing.length < namedAtMost && { missing }) }
  return [noticeTo(app.owner_id, 'secret.missing', message, {}, clock.now(), details)]
}
