import { AgentCard, generateAgentCardSignature, type AgentSkill } from '@a2a-js/sdk'
import { hash } from 'node:crypto'
import { doorAddress } from '#src/core/text/a2a-address.ts'
import { changesNothing } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { skillGroupsOf, type DocumentedGroup } from '#src/documents/groups.ts'
import { operationsExtension, versions, type Version } from '#protocol/a2a/names.ts'
import { legacyCard, withLegacyMembers, type CardPlace } from './legacy.ts'
import { presentationOf, type Presentation, type PresentedFacts } from './presentation.ts'
import { securityOf } from './schemes.ts'
import { keySetPath, signatureOver, type CardKey } from './signature.ts'

export interface CardFacts {
  name: string
  version: string
  publicUrl: string
  path: string
  operations: readonly Operation[]
  /** The parts of the card that differ by door; by default how to make agents and run them. */
  presentation?: (facts: PresentedFacts) => Presentation
}

export const acceptedModes = ['application/json', 'text/plain']

/** The agent at this door and its abilities, in the form of 1.0: each operation by its name alone. */
export function cardOf(facts: CardFacts): AgentCard {
  const { name, version, publicUrl, path, operations, presentation = presentationOf } = facts
  const { description, documentationUrl, credential, cards } = presentation(facts)
  return {
    name,
    description: `${description} A message carries {"operation", "params"} as data or text; every operation is a JSON-RPC method too.`,
    version,
    supportedInterfaces: versions.map((protocolVersion) => ({
      url: doorAddress(publicUrl, path),
      protocolBinding: 'JSONRPC',
      protocolVersion,
      tenant: '',
    })),
    provider: { organization: name, url: publicUrl },
    documentationUrl,
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: true,
      extensions: [
        {
          uri: operationsExtension(publicUrl),
          description: '',
          required: false,
          params: {
            openapi: `${publicUrl}/openapi.agent.json`,
            cards,
            methods: methodsOf(operations),
          },
        },
      ],
    },
    ...securityOf({ publicUrl, path, operations, bearer: credential, isOpen: true }),
    defaultInputModes: acceptedModes,
    defaultOutputModes: acceptedModes,
    skills: skillGroupsOf(operations).map(skillOf),
    signatures: [],
  }
}

/** The names of all operations by their first word, each with the rest of its names in one text. */
function methodsOf(operations: readonly Operation[]): Record<string, string> {
  const words = operations.map(({ name }) => name.split(/\.(.*)/s))
  const byFirst = Map.groupBy(words, ([first = '']) => first)
  return Object.fromEntries(
    [...byFirst].map(([first, names]) => [first, names.map(([, rest = '']) => rest).join(' ')]),
  )
}

/** The same card, in which every operation is described. */
export function extendedCardOf(facts: CardFacts): AgentCard {
  const card = cardOf(facts)
  const { capabilities } = card
  const extensions = capabilities?.extensions.map((extension) => ({
    ...extension,
    params: { ...extension.params, operations: facts.operations.map(describedIn) },
  }))
  return {
    ...card,
    capabilities: capabilities && { ...capabilities, extensions: extensions ?? [] },
  }
}

function describedIn(op: Operation): Record<string, unknown> {
  return {
    name: op.name,
    description: op.summary,
    readOnly: changesNothing(op),
    ...(op.auth === 'commons' && { trust: op.trust ?? 0 }),
  }
}

/** Modes that are not named are those of the card. */
function skillOf({ slug, title, description, operations }: DocumentedGroup): AgentSkill {
  const { name: operation, example: params } = telling(operations)
  return {
    id: slug,
    name: title,
    description,
    tags: [slug],
    examples: [JSON.stringify({ operation, params })],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  }
}

/** The member of a group that shows its use in the fewest words; of those that hosts list, if there are any. */
function telling(operations: readonly OperationFacts[]): OperationFacts {
  const core = operations.filter(({ toolsets }) => toolsets.includes('core'))
  const some = core.length > 0 ? core : operations
  const [first, ...others] = some.map((op) => ({ op, length: JSON.stringify(op.example).length }))
  if (!first) throw new Error('a group has at least one operation')
  // An empty example shows nothing.
  return others.reduce(
    (best, next) =>
      best.length <= 2 || (next.length > 2 && next.length < best.length) ? next : best,
    first,
  ).op
}

/** A card as it is sent, and a tag computed from its content. */
export interface SignedCard {
  text: string
  /** In quotes, strong. */
  etag: string
}

/** The card as a version of the protocol has a form for it. */
export function cardFor(version: Version, card: AgentCard): AgentCard {
  return version === '1.0' ? card : legacyCard(card)
}

/** The signed card as JSON. */
export async function signedCard(
  card: AgentCard,
  place: CardPlace,
  key: CardKey,
  version: Version,
): Promise<SignedCard> {
  const isLegacy = version !== '1.0'
  const shown = cardFor(version, card)
  // The SDK returns plain JSON without a declared type.
  const plain = AgentCard.toJSON(shown) as Record<string, unknown>
  const { signatures: _unsigned, ...sent } = isLegacy ? withLegacyMembers(plain, place) : plain
  const signatures = await signaturesOf(shown, place, key, sent)
  const text = JSON.stringify({ ...sent, signatures })
  return { text, etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` }
}

/**
 * The first signature is over the canonical form of the JSON that is sent, as the protocol requires.
 * The second is for the official JavaScript client: it canonicalises a card after reading it, and loses
 * the members of the security schemes on the way. One valid signature is enough.
 * @param sent what is sent, if it has more members than the card: they are signed too
 */
export async function signaturesOf(
  card: AgentCard,
  { publicUrl }: Pick<CardPlace, 'publicUrl'>,
  key: CardKey,
  sent: object = AgentCard.toJSON(card) as object,
): Promise<AgentCard['signatures']> {
  const header = { alg: 'EdDSA', kid: key.kid, typ: 'JOSE', jku: publicUrl + keySetPath }
  const { signatures } = await generateAgentCardSignature(key.privateKey, header)(card)
  return [{ ...signatureOver(sent, header, key), header: undefined }, ...signatures]
}
