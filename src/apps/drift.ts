import * as z from 'zod'
import { pointerStep } from '#src/core/text/text.ts'
import type { Manifest } from './manifest.ts'
import { planProvision, type Planned, type Standing } from './plan.ts'

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
 * What of an app's agents, with their tasks and friendships, is not as the manifest that was
 * applied last made it: what applying it again would undo, and what was added since. State is no
 * drift: pauses, skips, ratings.
 */
export function driftOf(standing: Standing): Drift[] {
  const { last, app } = standing
  return last ? driftFrom(last, standing, app.updated_at) : []
}

function driftFrom(last: Manifest, standing: Standing, appliedAt: string): Drift[] {
  const { app } = standing
  const { planned, left } = planProvision(
    last,
    // Nothing of it is written.
    {
      ownerId: app.owner_id,
      now: appliedAt,
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
  const added = left.tasks.filter(({ created_at }) => created_at > appliedAt)
  return planned.characters.flatMap(({ next, previous, members }): Drift[] => {
    const who = { local_id: next.local_id ?? next.id, id: next.id }
    if (!previous) return [{ ...who, change: 'deleted', members: [] }]
    const tasks = planned.tasks.filter((one) => one.next.char_id === next.id)
    // Friendships with an agent that was deleted went with it.
    const edges = planned.edges.filter(
      (one) => one.next.char_id === next.id && !deleted.has(one.next.friend_id),
    )
    const changed = [
      ...members.map(pointerStep),
      ...tasks.flatMap((one) => changesAt(`/heart/tasks${pointerStep(one.next.task_id)}`, one)),
      ...added
        .filter(({ char_id }) => char_id === next.id)
        .map(({ task_id }) => `/heart/tasks${pointerStep(task_id)}`),
      ...edges.flatMap((one) => changesAt(`/connections/${one.next.friend_id}`, one)),
    ]
    return changed.length > 0 ? [{ ...who, change: 'changed', members: changed }] : []
  })
}

function changesAt(at: string, { previous, members }: Planned<object>): string[] {
  return previous ? members.map((name) => at + pointerStep(name)) : [at]
}
