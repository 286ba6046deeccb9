import type { AppAgent } from '#src/agents/app/app.ts'
import type { Edge } from '#src/agents/friends/edge.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import type { Manifest } from './manifest.ts'
import { differing } from './revisions/differences.ts'
import { edgesOf } from './revisions/wanted-edges.ts'
import { ofPlatform } from './unplanned.ts'

/** A thing of a manifest: as it will be, and as it is if it exists. */
export interface Planned<T> {
  next: T
  previous: T | undefined
  /** The members that change; none if it is new, or stays as it is. */
  members: readonly string[]
}

/** If nothing differs, the existing thing stays as it is. */
export function settled<T extends object>(
  next: T,
  previous: T | undefined,
  further: readonly string[] = [],
): Planned<T> {
  if (!previous) return { next, previous, members: [] }
  const members = [...new Set([...differing(previous, next, ofPlatform), ...further])]
  return { next: members.length > 0 ? next : previous, previous, members }
}

/** Connections that are compared in one step. */
const edgesAStep = 100

/** The connections of a manifest, each with the existing one. */
export function* edgeSteps({
  manifest,
  place,
  standing,
  agents,
}: {
  manifest: Pick<Manifest, 'app_id' | 'connections'>
  place: { ownerId: string; now: string }
  standing: { edges: readonly Edge[] } | undefined
  agents: readonly AppAgent[]
}): Steps<Planned<Edge>[]> {
  const there = new Map(standing?.edges.map((edge) => [edge.id, edge]))
  const app = { id: manifest.app_id, owner_id: place.ownerId }
  const wanted = edgesOf(manifest.connections, agents, app, place.now)
  const planned: Planned<Edge>[] = []
  for (const [i, edge] of wanted.entries()) {
    if (i % edgesAStep === 0) yield
    const previous = there.get(edge.id)
    const created_at = previous?.created_at ?? edge.created_at
    planned.push(settled({ ...edge, created_at }, previous))
  }
  return planned
}
