import type { Reach } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import type { App } from '#src/agents/app/app.ts'

/** @throws Refusal `app_not_found`, `forbidden` */
export async function ownApp({ store, caller }: Reach, appId: string): Promise<App> {
  const app = await store.apps.get(appId)
  if (!app) return refuse('app_not_found', `There is no app "${appId}".`)
  if (app.owner_id === caller.accountId) return app
  return refuse('forbidden', `The app "${appId}" belongs to another account.`)
}
