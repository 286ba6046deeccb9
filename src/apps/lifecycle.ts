import type { Context, Ports } from '#src/core/context.ts'
import { Refusal, type Code } from '#src/core/errors.ts'
import type { Warning } from '#src/core/schema.ts'
import type { App } from '#src/agents/app/app.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { WebhookSpec } from './manifest.ts'
import { members, textOf } from '#src/core/input/loose.ts'
import { appDelivery, webhookDelivery, type Told } from '#src/agents/app/webhook.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'

/** The data of a lifecycle event for the webhook of an app. */
export function lifecycleData(
  app: App,
  actor: string,
  warnings: readonly Warning[] = [],
): Told['data'] {
  const { manifest_hash, revision, agents, team } = app
  return { revision, manifest_hash, agents, team, warnings: warnings.map(whereOnly), actor }
}

/** Only code and pointer: the message of a finding may quote the manifest. */
function whereOnly({ code, pointer }: Pick<Warning, 'code' | 'pointer'>) {
  return { code, pointer }
}

/** The refusals that are sent as `agent_app.provision_failed`: those caused by the manifest. */
const told: ReadonlySet<Code> = new Set([
  'manifest_invalid',
  'app_id_taken',
  'character_id_taken',
  'id_reserved',
] as const)

/**
 * Does an apply, and if its manifest is refused, tells a webhook: that of an existing app, or else the one
 * that the refused manifest names. Nothing else of a refused manifest is stored.
 * @param subject what the manifest was for
 */
export async function tellingFailure<T>(
  context: Context<'key'>,
  subject: { raw: unknown; app: () => Promise<App | undefined> },
  apply: () => Promise<T>,
): Promise<T> {
  try {
    return await apply()
  } catch (cause) {
    if (cause instanceof Refusal && told.has(cause.code)) {
      const insert = await failureDelivery(context, subject, cause)
      if (insert) {
        await context.store.commit([{ in: 'deliveries', insert }])
      }
    }
    throw cause
  }
}

async function failureDelivery(
  {
    caller,
    clock,
    store,
    sealer,
  }: Pick<Context<'key'>, 'caller' | 'clock'> & Pick<Ports, 'store' | 'sealer'>,
  subject: { raw: unknown; app: () => Promise<App | undefined> },
  { code, errors = [] }: Refusal,
): Promise<StoredDelivery | undefined> {
  const type = 'agent_app.provision_failed'
  const now = clock.now()
  const failure = { code, errors: errors.map(whereOnly) }
  const app = await subject.app()
  if (app) {
    const data = { ...lifecycleData(app, caller.keyId), ...failure }
    return appDelivery({ store, sealer }, app, { type, data, now })
  }
  const raw = members(subject.raw)
  const webhook = WebhookSpec.safeParse(raw.webhook).data
  // No one has the secret behind a mask, and an unsigned call would not be trusted.
  if (!webhook || webhook.secret === secretMask) return undefined
  const refused = {
    app_id: textOf(raw.app_id)?.slice(0, 200) ?? '',
    name: textOf(raw.name)?.slice(0, 200) ?? '',
    owner_id: caller.accountId,
    webhook: { ...webhook, state: 'active' as const },
  }
  const none = { revision: null, manifest_hash: null, agents: [], team: null, warnings: [] }
  const data = { ...none, actor: caller.keyId, ...failure }
  return webhookDelivery(refused, webhook.secret, { type, data, now }, sealer)
}
