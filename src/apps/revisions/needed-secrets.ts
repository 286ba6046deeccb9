import * as z from 'zod'
import type { MissingSecret } from '#src/accounts/notice.ts'
import type { App } from '#src/agents/app/app.ts'
import type { Manifest } from '../manifest.ts'
import type { Warning } from '#src/core/schema.ts'
import { call } from '#src/core/words/reference.ts'
import type { Store } from '#src/ports/store.ts'

export const NeededSecret = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    required: z.boolean(),
    set: z.boolean().describe('Every one of the agents has it'),
    agents: z.array(z.object({ local_id: z.string(), id: z.string(), set: z.boolean() })),
  })
  .meta({ id: 'NeededSecret' })
/** A secret that a manifest names: who needs it, and who has it. */
export type NeededSecret = z.infer<typeof NeededSecret>

/** The secrets that a manifest asks for, and which of its agents already have them. */
export async function neededSecrets(
  { secrets }: Pick<Store, 'secrets'>,
  manifest: Pick<Manifest, 'agents' | 'secrets'>,
  app: Pick<App, 'agents'>,
): Promise<NeededSecret[]> {
  if (manifest.secrets.length === 0) return []
  const named = new Set(manifest.agents.map(({ local_id }) => local_id))
  const agents = app.agents.filter(({ local_id }) => named.has(local_id))
  const shelves = await secrets.find({ id: { $in: agents.map(({ id }) => id) } })
  const shelfOf = new Map(shelves.map((shelf) => [shelf.id, shelf.secrets]))
  return manifest.secrets.map(({ name, description, required, agents: chosen }) => {
    const needing = agents
      .filter(({ local_id }) => chosen.length === 0 || chosen.includes(local_id))
      .map(({ local_id, id }) => {
        const set = Object.hasOwn(shelfOf.get(id) ?? {}, name)
        return { local_id, id, set }
      })
    const set = needing.every((agent) => agent.set)
    return { name, description, required, set, agents: needing }
  })
}

/** The required secrets that are not set, by agent; no more than so many. */
export function missingSecrets(needed: readonly NeededSecret[], atMost: number): MissingSecret[] {
  const missing: MissingSecret[] = []
  for (const { name, required, agents } of needed) {
    if (!required) continue
    for (const { id, set } of agents) {
      if (!set) missing.push({ char_id: id, name })
      if (missing.length === atMost) return missing
    }
  }
  return missing
}

/** Warns of required secrets that are not set. */
export function secretWarnings(needed: readonly NeededSecret[]): Warning[] {
  return needed.flatMap(({ name, required, set, agents }, i): Warning[] => {
    if (set || !required) return []
    const without = agents.filter((agent) => !agent.set).map(({ id }) => id)
    const message = `The secret ${name} is not set on ${without.join(', ')}: ${call('characters.secrets.update')} sets it.`
    return [{ code: 'secret_missing', pointer: `/secrets/${i}`, message }]
  })
}
