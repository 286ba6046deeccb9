import * as z from 'zod'
import type { Store } from '#src/ports/store.ts'
import type { App } from './app.ts'

export const Drift = z.object({
  local_id: z.string(),
  id: z.string(),
  change: z.enum(['changed', 'deleted']).describe('By hand, since the manifest was last applied.'),
})
/** An agent that is no longer as the manifest made it. */
export type Drift = z.infer<typeof Drift>

/** What of an app's agents, their tasks included, was changed since its manifest was last applied. */
export async function driftOf(store: Pick<Store, 'characters'>, app: App): Promise<Drift[]> {
  const ids = app.agents.map(({ id }) => id)
  const found = await store.characters.find({ id: { $in: ids } })
  const updatedAt = new Map(found.map((character) => [character.id, character.updated_at]))
  return app.agents.flatMap(({ local_id, id }): Drift[] => {
    const at = updatedAt.get(id)
    if (at === undefined) return [{ local_id, id, change: 'deleted' }]
    return at > app.updated_at ? [{ local_id, id, change: 'changed' }] : []
  })
}
