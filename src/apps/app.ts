import type { AppAgent, App } from '#src/agents/app/app.ts'
import { digest } from '#src/core/ids.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'
import { provisionedId, type Manifest } from './manifest.ts'

/** Identifies a manifest: SHA-256 of its masked text, in hex. */
export function manifestHash(maskedText: string): string {
  return digest(maskedText)
}

export interface AppPlace {
  ownerId: string
  revision: number
  /** Of the masked manifest. */
  hash: string
  /** RFC 3339. */
  now: string
  /** RFC 3339; by default now. */
  createdAt?: string
  /** The agents that the app already has: their ids never change. */
  known?: readonly AppAgent[]
  /** While it is paused. */
  pause?: App['pause']
  /** Those of them that the manifest no longer names, and that stay. */
  orphaned?: readonly AppAgent[]
}

/**
 * The agents of a manifest with their existing or new ids, in its order.
 * @param known the agents that the app already has: their ids never change
 */
export function agentsOf(
  manifest: Pick<Manifest, 'app_id' | 'agents'>,
  known: readonly AppAgent[] = [],
): AppAgent[] {
  const idOf = new Map(known.map(({ local_id, id }) => [local_id, id]))
  return manifest.agents.map(({ local_id, id }) => ({
    local_id,
    id: id ?? idOf.get(local_id) ?? provisionedId(manifest.app_id, local_id),
  }))
}

/** The record of an app that is provisioned from a manifest. */
export function appFrom(manifest: Manifest, place: AppPlace): App {
  const { app_id, name, description, version, connections, team, webhook } = manifest
  const agents = agentsOf(manifest, place.known)
  const orphaned = (place.orphaned ?? []).map(({ local_id, id }): AppAgent => ({
    local_id,
    id,
    orphaned: true,
  }))
  const members = new Set(team?.member_local_ids)
  return {
    id: app_id,
    app_id,
    owner_id: place.ownerId,
    name,
    description,
    version,
    status: place.pause ? 'paused' : 'active',
    ...(place.pause && { pause: place.pause }),
    agents: [...agents, ...orphaned],
    connections,
    team: team && {
      name: team.name,
      description: team.description,
      icon: team.icon,
      members: agents.filter((agent) => members.size === 0 || members.has(agent.local_id)),
    },
    webhook: webhook && {
      url: webhook.url,
      events: webhook.events,
      secret: webhook.secret === null ? null : secretMask,
      state: 'active',
    },
    revision: place.revision,
    manifest_hash: place.hash,
    created_at: place.createdAt ?? place.now,
    updated_at: place.now,
  }
}
