import type { AgentCard, AgentSkill } from '@a2a-js/sdk'
import { howToGetKey, signUpOf } from '#src/core/admission/sign-up.ts'
import { agentDoorPath, doorAddress } from '#src/core/text/a2a-address.ts'
import { securityOf } from '#protocol/a2a/card/schemes.ts'
import { versions } from '#protocol/a2a/names.ts'
import type { AgentDoorsOptions } from './options.ts'
import type { Face } from './shown.ts'

type Facts = Pick<AgentDoorsOptions, 'name' | 'publicUrl' | 'core' | 'operations'>

/** The media types that a message to an agent may have; bytes of no type are of the last. */
export const inputModes: readonly string[] = [
  'text/plain',
  'text/markdown',
  'text/html',
  'text/csv',
  'application/json',
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/octet-stream',
]
const outputModes = ['text/plain', 'application/json']

/** The agent and what a message to it can start, in the form of 1.0. */
export function agentCard(face: Face, facts: Facts): AgentCard {
  const { name: organization, publicUrl, core } = facts
  const { push, ...conversation } = facts.operations
  const path = agentDoorPath(face.id)
  return {
    name: face.name,
    description: face.description,
    // Increases with every change of the agent and of its tasks.
    version: String(face.revision),
    supportedInterfaces: versions.map((protocolVersion) => ({
      url: doorAddress(publicUrl, path),
      protocolBinding: 'JSONRPC',
      protocolVersion,
      tenant: '',
    })),
    provider: { organization, url: publicUrl },
    documentationUrl: `${publicUrl}/skill.md`,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [],
    },
    ...securityOf({
      publicUrl,
      path,
      operations: [...Object.values(conversation), ...Object.values(push)],
      bearer: {
        form: 'ab_…',
        description: `An API key of an account that may speak to the agent. ${howToGetKey(signUpOf(core.catalog), publicUrl)}`,
      },
      isOpen: face.is_open,
    }),
    defaultInputModes: [...inputModes],
    defaultOutputModes: outputModes,
    skills: face.tasks.map(skillOf),
    signatures: [],
  }
}

function skillOf({ task_id, name, description, tags }: Face['tasks'][number]): AgentSkill {
  return {
    id: task_id,
    name,
    description,
    tags,
    examples: [JSON.stringify({ task_id })],
    // Those of the card.
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  }
}
