import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { reservedFor } from '#src/characters/reserved.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import type { Manifest } from './manifest.ts'
import type { Provision } from './plan.ts'

type Needed = Pick<Context<'key'>, 'store' | 'caller' | 'quotas'>

/** @throws Refusal `id_reserved` when an agent wants an id that belongs to another app */
export async function refuseReserved({ store }: Needed, manifest: Manifest): Promise<void> {
  for (const { id } of manifest.agents) {
    const appId = id ? reservedFor(id) : undefined
    if (!appId || appId === manifest.app_id || !(await store.apps.get(appId))) continue
    refuse('id_reserved', `Ids that begin with "${appId}--" belong to the app "${appId}".`)
  }
}

/**
 * Says which id of a provision is in use already. Without a cause it only looks; with one, the
 * commit has failed, and what is not a conflict is thrown on.
 * @throws Refusal `app_id_taken`, `character_id_taken`, `quota_exceeded`
 */
export async function conflictOf(
  { store, caller, quotas }: Needed,
  { app, characters }: Provision,
): Promise<void>
export async function conflictOf(
  { store, caller, quotas }: Needed,
  { app, characters }: Provision,
  cause: unknown,
): Promise<never>
export async function conflictOf(
  { store, caller, quotas }: Needed,
  { app, characters }: Provision,
  cause?: unknown,
): Promise<void> {
  if (cause instanceof Unmet && cause.in === 'usage') throw quotas.exceeded('apps', caller)
  const isOurs = cause instanceof DuplicateKey && ['apps', 'characters'].includes(cause.in)
  if (cause !== undefined && !isOurs) throw cause
  const existing = await store.apps.get(app.id)
  if (existing) {
    const isOwn = existing.owner_id === caller.accountId
    refuse('app_id_taken', `The app id "${app.id}" is already in use.`, {
      ...(isOwn && {
        hint: `It is yours: agent_apps.get shows it, agent_apps.teardown removes it.`,
      }),
      cause,
    })
  }
  const ids = characters.map(({ id }) => id)
  const taken = await store.characters.text({ id: { $in: ids } })
  if (taken.length > 0) {
    const named = taken.map((row) => `"${row.id}"`).join(', ')
    refuse('character_id_taken', `These ids of agents are already in use: ${named}.`, { cause })
  }
  if (cause !== undefined) throw cause
}
