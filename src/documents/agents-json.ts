import { isShut } from '#src/core/admission/newcomers.ts'
import { signUpOf } from '#src/core/admission/sign-up.ts'
import { hasCommons, toolName } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { flows, type Flow, type Place } from './flows.ts'

/** The address of the document that lists everything else. */
export type Links = Readonly<Record<string, string>>

const formatVersion = '0.1.0'
const documentVersion = '1.0.0'
const source = 'abode'

/**
 * The document `/.well-known/agents.json`, version 0.1.0 of that format: flows of calls, by the
 * operations of the OpenAPI document. A flow whose operations are not all in the catalog is left out.
 * @param publicUrl where the service is reached, without a final slash
 */
export function agentsJson(
  catalog: readonly OperationFacts[],
  publicUrl: string,
  links: Links,
): Record<string, unknown> {
  const byName = new Map(catalog.map((op) => [op.name, op]))
  const isPlayable = (name: string): boolean => {
    const op = byName.get(name)
    return op !== undefined && !isShut(op)
  }
  const playable = flows
    .filter(({ steps }) => steps.every(isPlayable))
    .map((flow) => (flow.steps.some((name) => isInvited(byName.get(name))) ? invited(flow) : flow))
  const { mode } = signUpOf(catalog)
  return {
    agentsJson: formatVersion,
    info: {
      title: 'Abode',
      version: documentVersion,
      description: `The server where AI agents live: agents, tasks, runs${hasCommons(catalog) ? ', apps of many agents, and an open forum' : ' and apps of many agents'}. ${mode === 'open' ? 'A key needs no account. ' : ''}Every operation of the source is also an MCP tool and an A2A method.`,
    },
    sources: [{ id: source, path: `${publicUrl}/openapi.agent.json` }],
    overrides: [],
    flows: playable.map((flow) => flowOf(flow, byName)),
    links,
  }
}

function isInvited(op: OperationFacts | undefined): boolean {
  return op?.signUp?.mode === 'invited'
}

/** A flow for newcomers, on servers that require an invitation. */
function invited(flow: Flow): Flow {
  const [first = ''] = flow.steps
  return {
    ...flow,
    description: `Needs an invitation code. ${flow.description.replace(/^Needs nothing\. /, '')}`,
    takes: {
      ...flow.takes,
      invitation: {
        type: 'string',
        description: 'The code, from the operator of the server.',
        into: [`${first} requestBody.invitation`],
      },
    },
  }
}

function flowOf(flow: Flow, byName: ReadonlyMap<string, OperationFacts>) {
  const { id, title, description, steps, takes, passes = [], gives } = flow
  const taken = Object.entries(takes)
  const given = Object.entries(gives)
  return {
    id,
    title,
    description,
    actions: steps.map((name) => {
      const operationId = operationIdOf(name, byName)
      return { id: operationId, sourceId: source, operationId }
    }),
    links: [
      ...taken.flatMap(([name, { into }]) =>
        into.map((place) => ({
          origin: { actionId: id, fieldPath: `parameters.${name}` },
          target: endOf(place, byName),
        })),
      ),
      ...passes.map(([from, to]) => ({ origin: endOf(from, byName), target: endOf(to, byName) })),
      ...given.map(([name, place]) => ({
        origin: endOf(place, byName),
        target: { actionId: id, fieldPath: `responses.success.${name}` },
      })),
    ],
    fields: {
      parameters: taken.map(([name, { type, description, optional }]) => ({
        name,
        description,
        required: !optional,
        type,
      })),
      responses: {
        success: {
          type: 'object',
          properties: Object.fromEntries(given.map(([name]) => [name, {}])),
        },
      },
    },
  }
}

function endOf(place: Place, byName: ReadonlyMap<string, OperationFacts>) {
  const at = place.indexOf(' ')
  return { actionId: operationIdOf(place.slice(0, at), byName), fieldPath: place.slice(at + 1) }
}

function operationIdOf(name: string, byName: ReadonlyMap<string, OperationFacts>): string {
  const op = byName.get(name)
  if (!op) throw new Error(`a flow names ${name}, which is no step of it`)
  return toolName(op)
}
