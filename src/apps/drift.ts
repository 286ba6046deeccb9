import * as z from 'zod'
import { pointerStep } from '#src/core/text/text.ts'
import type { Manifest } from './manifest.ts'
import { agentsOf } from './app.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { provisionSteps, type Standing } from './plan.ts'
import { edgeSteps, type Planned } from './planned.ts'

export const Drift = z
  .object({
    local_id: z.string(),
    id: z.string(),
    change: z.enum(['changed', 'deleted']).describe('By hand, since the manifest was last applied'),
    members: z.array(z.string()).describe('What was changed, added or deleted, as JSON Pointers'),
  })
  .meta({ id: 'Drift' })
/** An agent that is no longer as the manifest made it. */
export type Drift = z.infer<typeof Drift>

/**
 * What of an app's agents, tasks and friendships differs from the manifest that was applied last: what
 * applying it again would undo, and what was added since. State does not count as drift: pauses, skips,
 * ratings.
 */
export function* driftSteps(standing: Standing): Steps<Drift[]> {
  const { last, app } = standing
  return last ? yield* driftFrom(last, standing, app.updated_at) : []
}

function* driftFrom(last: Manifest, standing: Standing, appliedAt: string): Steps<Drift[]> {
  const { app, still } = standing
  const agents = agentsOf(last, app.agents)
  const moved = last.agents.filter((_, i) => !still.has(agents[i]?.id ?? ''))
  const place = { ownerId: app.owner_id, now: appliedAt }
  const { planned, left } = yield* provisionSteps(
    { ...last, agents: moved, connections: [] },
    // The app itself is not written.
    {
      ...place,
      hash: '',
      makeTaskId: (name) => name,
      seal: () => '',
      sealSettings: () => null,
    },
    standing,
  )
  const deleted = new Set(
    planned.characters.flatMap(({ next, previous }) => (previous ? [] : [next.id])),
  )
  const added = Map.groupBy(
    left.tasks.filter(({ created_at }) => created_at > appliedAt),
    ({ char_id }) => char_id,
  )
  const characters = new Map(planned.characters.map((one) => [one.next.id, one]))
  const tasks = Map.groupBy(planned.tasks, (one) => one.next.char_id)
  // Friendships with a deleted agent were deleted with it.
  const connections = yield* edgeSteps({ manifest: last, place, standing, agents })
  const edges = Map.groupBy(
    connections.filter((one) => !deleted.has(one.next.friend_id)),
    (one) => one.next.char_id,
  )
  return agents.flatMap(({ local_id, id }): Drift[] => {
    const who = { local_id, id }
    if (deleted.has(id)) return [{ ...who, change: 'deleted', members: [] }]
    const changed = [
      ...(characters.get(id)?.members ?? []).map(pointerStep),
      ...(tasks.get(id) ?? []).flatMap((one) =>
        changesAt(`/heart/tasks${pointerStep(one.next.task_id)}`, one),
      ),
      ...(added.get(id) ?? []).map(({ task_id }) => `/heart/tasks${pointerStep(task_id)}`),
      ...(edges.get(id) ?? []).flatMap((one) =>
        changesAt(`/connections/${one.next.friend_id}`, one),
      ),
    ]
    return changed.length > 0 ? [{ ...who, change: 'changed', members: changed }] : []
  })
}

function changesAt(at: string, { previous, members }: Planned<object>): string[] {
  return previous ? members.map((name) => at + pointerStep(name)) : [at]
}
