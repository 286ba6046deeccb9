import * as z from 'zod'
import type { Slim } from '#src/core/input/slim.ts'
import { type Named, optionalText, texts } from '#src/core/schema-parts.ts'

export const AppAgent = z
  .looseObject({
    local_id: z.string(),
    id: z.string(),
    orphaned: z.literal(true).optional().describe('No longer in the manifest, and not pruned'),
  })
  .meta({ id: 'AppAgent' })

/** An agent of an app: its handle there and its id. */
export type AppAgent = Named<z.infer<typeof AppAgent>>

export const Connection = z
  .looseObject({
    from: z.string(),
    to: z.string(),
    relationship_type: z.string().default('friend'),
    permissions: texts.describe('What from may do at to'),
    shared_abilities: texts,
    note: optionalText,
  })
  .describe('Between two local_ids')
  .meta({ id: 'AgentAppConnection' })

/** A directed edge between two agents of an app, by their local ids. */
export type Connection = z.infer<typeof Connection>

export const App = z
  .looseObject({
    id: z.string(),
    app_id: z.string(),
    owner_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    version: z.string().nullable(),
    status: z.enum(['active', 'paused']),
    pause: z
      .object({ reason: z.string(), at: z.string() })
      .nullish()
      .describe('While it is paused'),
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

/** What a summary shows of an app. */
export const slimApp: Slim = {
  summary: ['app_id', 'name', 'status', 'agents', 'revision', 'updated_at'],
}

/** A manifest as an app was provisioned or updated from it. */
export interface AppRevision {
  /** `app_id@revision`. */
  id: string
  app_id: string
  owner_id: string
  revision: number
  /** JSON text of the manifest as sent, its secrets masked. */
  manifest: string
  /** A sealed JSON map from pointers into the manifest to the secrets there; null without any. */
  secrets: string | null
  /** SHA-256 of the masked text, in hex. */
  manifest_hash: string
  /** The id of the key that made the change. */
  actor: string
  created_at: string
  /** The revision of each of its agents after it was applied; absent from older records. */
  agents?: { id: string; revision: number }[]
}

/** The key of a revision. */
export function appRevisionId(appId: string, revision: number): string {
  return `${appId}@${revision}`
}

/**
 * The id of the agent that a text of the app names: first a local id of the app, otherwise the text
 * is already a global id.
 */
export function resolveAgent(named: string, agents: readonly AppAgent[]): string {
  return agents.find((agent) => agent.local_id === named)?.id ?? named
}
