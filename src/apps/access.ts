import type { Reach } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { App } from '#src/agents/app/app.ts'

/** @throws Refusal `app_not_found`, `forbidden` */
export async function ownApp(reach: Reach, appId: string): Promise<App> {
  const app = await reach.store.apps.get(appId)
  return app?.owner_id === reach.caller.accountId ? app : noApp(reach, app, appId)
}

/** @throws Refusal always: `app_not_found`, or `forbidden` where it belongs to another account */
export async function noApp(
  { store, caller }: Reach,
  app: App | undefined,
  appId: string,
): Promise<never> {
  const list = call('agent_apps.list')
  if (app) {
    const hint = `${list} lists yours.`
    return refuse('forbidden', `The app "${appId}" belongs to another account.`, { hint })
  }
  const own = { owner_id: caller.accountId }
  const rows = await store.apps.pick(['id'], own, { limit: idsAtMost })
  const read = (app_id: string): string => call('agent_apps.get', { app_id })
  const hint = idHint(appId, { ids: rows.flat(), read, list })
  return refuse('app_not_found', `There is no app "${appId}".`, { hint })
}

/** @throws Refusal `revision_not_found` always */
export function noRevision(appId: string, revision: number): never {
  return refuse('revision_not_found', `"${appId}" has no revision ${revision}.`, {
    hint: `${call('agent_apps.get', { app_id: appId })} tells the present one; only the newest are kept.`,
  })
}
