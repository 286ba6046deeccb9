import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import { reserved, reservedFor } from '#src/agents/reserved.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import type { AppAgent } from '#src/agents/app/app.ts'
import type { Manifest } from './manifest.ts'
import type { Provision } from './plan.ts'

type Needed = Pick<Context<'key'>, 'store' | 'caller' | 'quotas'>

/**
 * @param known the agents that the app already has, even if other apps were made since
 * @throws Refusal `id_reserved` when a new agent wants an id that belongs to another app
 */
export async function refuseReserved(
  { store }: Pick<Needed, 'store'>,
  manifest: Manifest,
  known: readonly AppAgent[] = [],
): Promise<void> {
  for (const { id } of manifest.agents) {
    const appId = id && !known.some((agent) => agent.id === id) ? reservedFor(id) : undefined
    if (!appId || appId === manifest.app_id || !(await store.apps.get(appId))) continue
    reserved(appId)
  }
}

/**
 * Finds the id of a provision that is already in use. Without a cause it only checks; with one, the commit
 * has failed, and a cause that is no conflict is thrown again.
 * @throws Refusal `app_id_taken`, `character_id_taken`, `quota_exceeded`
 */
export async function conflictOf(
  { store, caller, quotas }: Needed,
  provision: Provision,
): Promise<void>
export async function conflictOf(
  { store, caller, quotas }: Needed,
  provision: Provision,
  cause: unknown,
): Promise<never>
export async function conflictOf(
  { store, caller, quotas }: Needed,
  { app, planned }: Provision,
  cause?: unknown,
): Promise<void> {
  if (cause instanceof Unmet && cause.in === 'usage') throw quotas.exceeded('apps', caller)
  const isOurs = cause instanceof DuplicateKey && ['apps', 'characters'].includes(cause.in)
  if (cause !== undefined && !isOurs) throw cause
  const existing = await store.apps.get(app.id)
  if (existing) {
    const isOwn = existing.owner_id === caller.accountId
    refuse('app_id_taken', `The app id "${app.id}" is already in use.`, {
      hint: isOwn
        ? `It is yours: ${call('agent_apps.get', { app_id: app.id })} shows it, and ${call('agent_apps.update', { app_id: app.id })} with this manifest changes it.`
        : 'Another account has it: choose another.',
      cause,
    })
  }
  await refuseTaken({ store, caller }, planned, cause)
  if (!isOurs) return
  // It existed when the commit failed, and was deleted since.
  const code = cause.in === 'apps' ? 'app_id_taken' : 'character_id_taken'
  const hint = 'It is free again now: send the same request again.'
  refuse(code, `An id of "${app.id}" was in use.`, { hint, cause })
}

/** @throws Refusal `character_id_taken` if a new agent has the id of an existing one */
export async function refuseTaken(
  { store, caller }: Pick<Needed, 'store' | 'caller'>,
  { characters }: Provision['planned'],
  cause?: unknown,
): Promise<void> {
  const ids = characters.flatMap(({ next, previous }) => (previous ? [] : [next.id]))
  const taken = ids.length > 0 ? await store.characters.text({ id: { $in: ids } }) : []
  if (taken.length === 0) return
  const named = taken.map((row) => `"${row.id}"`).join(', ')
  const mine = { id: { $in: ids }, owner_id: caller.accountId }
  const [own] = await store.characters.text(mine, { limit: 1 })
  const update = own && call('characters.update', { char_id: own.id })
  refuse('character_id_taken', `These ids of agents are already in use: ${named}.`, {
    hint: `${update ? `"${own.id}" is yours: ${update} changes it. ` : ''}Agents of a manifest need no id.`,
    cause,
  })
}

/**
 * Why the commit of an apply to an existing app failed. A document that others made meanwhile leads to a
 * new decision, except an agent that is not the app's.
 * @throws Refusal `character_id_taken`; Unmet if deciding again helps; else the cause
 */
export async function overtaken(
  context: Pick<Needed, 'store' | 'caller'>,
  { planned }: Provision,
  cause: unknown,
): Promise<never> {
  if (!(cause instanceof DuplicateKey) || cause.in === 'idempotency') throw cause
  if (cause.in === 'characters') await refuseTaken(context, planned, cause)
  throw new Unmet(cause.in, 0)
}
