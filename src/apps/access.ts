import type { Reach } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import type { App } from '#src/agents/app/app.ts'

/** @throws Refusal `app_not_found`, `forbidden` */
export async function ownApp({ store, caller }: Reach, appId: string): Promise<App> {
  const app = await store.apps.get(appId)
  return app?.owner_id === caller.accountId ? app : noApp(app, appId)
}

/** @throws Refusal always: `app_not_found`, or `forbidden` where it belongs to another account */
export function noApp(app: App | undefined, appId: string): never {
  return app
    ? refuse('forbidden', `The app "${appId}" belongs to another account.`)
    : refuse('app_not_found', `There is no app "${appId}".`)
}

/** @throws Refusal `revision_not_found` always */
export function noRevision(appId: string, revision: number): never {
  return refuse('revision_not_found', `"${appId}" has no revision ${revision}.`)
}
