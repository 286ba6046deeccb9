import * as z from 'zod'
import type { Named } from '#src/core/schema-parts.ts'
import { digest } from '#src/core/ids.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'
import { Connection, provisionedId, type Manifest } from './manifest.ts'

export const AppAgent = z
  .looseObject({
    local_id: z.string(),
    id: z.string(),
    orphaned: z.literal(true).optional().describe('No longer in the manifest, and not pruned'),
  })
  .meta({ id: 'AppAgent' })
/** An agent of an app: its handle there and its id. */
export type AppAgent = Named<z.infer<typeof AppAgent>>

export const App = z
  .looseObject({
    id: z.string(),
    app_id: z.string(),
    owner_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    version: z.string().nullable(),
    status: z.literal('active'),
    agents: z.array(AppAgent),
    connections: z.array(Connection),
    team: z
      .looseObject({
        name: z.string(),
        description: z.string().nullable(),
        icon: z.string().nullable(),
        members: z.array(AppAgent),
      })
      .nullable(),
    webhook: z
      .looseObject({
        url: z.string(),
        events: z.array(z.string()),
        secret: z.string().nullable().describe('Shown as ***'),
        state: z.enum(['active', 'disabled']),
      })
      .nullable(),
    revision: z.int(),
    manifest_hash: z.string().describe('SHA-256 of the manifest as read back'),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'App' })
/** A provisioned app, as it is kept and as every read gives it. */
export type App = Named<z.infer<typeof App>>

/** A manifest as an app was provisioned or updated from it. */
export interface AppRevision {
  /** `app_id@revision`. */
  id: string
  app_id: string
  owner_id: string
  revision: number
  /** JSON text of the manifest as sent, its secrets masked. */
  manifest: string
  /** A sealed JSON map of pointers into the manifest to the secrets that stand there; null without any. */
  secrets: string | null
  /** SHA-256 of the masked text, in hex. */
  manifest_hash: string
  /** The key that did it. */
  actor: string
  created_at: string
}

/** The key of a revision. */
export function appRevisionId(appId: string, revision: number): string {
  return `${appId}@${revision}`
}

/** How a manifest is told from another: SHA-256 of its masked text, in hex. */
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
  /** The agents that the app has already: their ids never change. */
  known?: readonly AppAgent[]
  /** Those of them that the manifest no longer names, and that stay. */
  orphaned?: readonly AppAgent[]
}

/**
 * The agents of a manifest with the ids they have or get, in its order.
 * @param known the agents that the app has already: their ids never change
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
    status: 'active',
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

/**
 * The id of the agent that a text of the app names: a local id of the app first, else the text is a
 * global id already.
 */
export function resolveAgent(named: string, agents: readonly AppAgent[]): string {
  return agents.find((agent) => agent.local_id === named)?.id ?? named
}
