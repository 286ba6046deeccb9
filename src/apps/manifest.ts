import { Connection } from '#src/agents/app/app.ts'
import * as z from 'zod'
import { characterMembers } from '#src/agents/character.ts'
import { freeObject, optionalText, texts, textsAtMost } from '#src/core/schema-parts.ts'
import { PlainName } from '#src/agents/name.ts'

/** An app's id: lower case, digits and single hyphens, 1 to 63 characters. */
export const AppId = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be of a-z, 0-9 and single hyphens between them')

/** An agent's handle within its app. */
export const LocalId = z
  .string()
  .max(63)
  .regex(
    /^[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*$/,
    'must be of A-Z, a-z, 0-9, _ and single hyphens between them',
  )

export const AgentSpec = z
  .looseObject({
    local_id: LocalId,
    ...characterMembers,
    id: characterMembers.id.describe('null: <app_id>--<local_id>'),
  })
  .meta({ id: 'AgentAppAgentSpec' })
/** An agent of an app. */
export type AgentSpec = z.infer<typeof AgentSpec>

export const TeamSpec = z
  .looseObject({
    name: PlainName,
    description: optionalText,
    icon: optionalText,
    member_local_ids: texts.describe('Empty: every agent'),
  })
  .meta({ id: 'AgentAppTeamSpec' })
/** The agents of an app that form a team. */
export type TeamSpec = z.infer<typeof TeamSpec>

export const WebhookSpec = z
  .looseObject({
    url: z.string(),
    secret: z.string().min(1).nullable().default(null),
    events: texts.describe('Empty: provisioned, updated, torn down'),
  })
  .meta({ id: 'AgentAppWebhook' })
/** Where the lifecycle events of an app are sent, and the secret that signs them. */
export type WebhookSpec = z.infer<typeof WebhookSpec>

export const SecretSpec = z
  .looseObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 _, no digit first'),
    description: optionalText,
    required: z.boolean().default(false),
    agents: texts,
  })
  .describe('A name only: values are set on the agents')
  .meta({ id: 'AgentAppSecretSpec' })
/** A secret that agents of the app need: its name, never its value. */
export type SecretSpec = z.infer<typeof SecretSpec>

export const manifestVersion = 1

/** How many agents a manifest may name. */
export const agentsAtMost = 50
/** Each agent with each other, in both directions. */
export const connectionsAtMost = agentsAtMost * (agentsAtMost - 1)

export const Manifest = z
  .looseObject({
    $schema: z.string().optional(),
    manifest_version: z.literal(manifestVersion).default(manifestVersion),
    app_id: AppId,
    name: PlainName,
    description: optionalText,
    version: optionalText,
    agents: z.array(AgentSpec).min(1).max(agentsAtMost),
    connections: z.array(Connection).max(connectionsAtMost).default([]),
    team: TeamSpec.nullable().default(null),
    webhook: WebhookSpec.nullable().default(null),
    secrets: z.array(SecretSpec).max(textsAtMost).default([]),
    metadata: freeObject,
  })
  .meta({ id: 'AppManifest' })
/** A whole multi-agent app in one document. */
export type Manifest = z.infer<typeof Manifest>

/** The id of an app's agent if the manifest gives none. */
export function provisionedId(appId: string, localId: string): string {
  return `${appId}--${localId}`
}
