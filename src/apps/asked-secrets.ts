import type { StoredCharacter } from '#src/agents/character.ts'
import { SecretName } from '#src/agents/secrets/stored-secrets.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'
import { inPortionsIfLong } from '#src/core/turns/portions.ts'
import { parsedSteps } from '#src/core/input/json-steps.ts'
import { items, members } from '#src/core/input/loose.ts'

interface Needed {
  store: Pick<Store, 'app_revisions'>
  clock: Pick<Clock, 'turn' | 'monotonic'>
}
type Asked = Pick<StoredCharacter, 'id' | 'app_id' | 'local_id'>

/** The names of the secrets that the manifest of an agent's app requires of it. */
export async function secretsAsked({ store, clock }: Needed, agent: Asked): Promise<string[]> {
  const { id, app_id, local_id } = agent
  if (app_id === null) return []
  const inForce = { sort: { revision: -1 }, limit: 1 } as const
  const [revision] = await store.app_revisions.find({ app_id }, inForce)
  const manifest = await inPortionsIfLong(parsedSteps(revision?.manifest ?? '{}'), clock)
  const specs = items(members(manifest).secrets)
  return specs.flatMap((spec) => {
    const { name, agents } = members(spec)
    const named = items(agents)
    const isMeant = named.length === 0 || named.includes(local_id) || named.includes(id)
    return isMeant && typeof name === 'string' && SecretName.safeParse(name).success ? [name] : []
  })
}
