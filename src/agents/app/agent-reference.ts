import type { Store } from '#src/ports/store.ts'
import { resolveAgent } from './app.ts'

/**
 * The id of the agent that a task's text names: first a local id of the task's own app, otherwise
 * a global id. Resolved when used, so that the text is stored as sent.
 */
export async function agentOf(
  store: Pick<Store, 'apps'>,
  appId: string | null,
  named: string,
): Promise<string> {
  const app = appId ? await store.apps.get(appId) : undefined
  return app ? resolveAgent(named, app.agents) : named
}
