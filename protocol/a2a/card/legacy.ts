import type { AgentCard } from '@a2a-js/sdk'
import { doorAddress } from '#src/core/text/a2a-address.ts'

/** Where a card is served, and whether there is an extended one. */
export interface CardPlace {
  publicUrl: string
  path: string
  hasExtendedCard?: boolean
}

/** A card without what 0.3 has no form for: the flow of devices. */
export function legacyCard(card: AgentCard): AgentCard {
  const known = Object.entries(card.securitySchemes).filter(([, one]) => !isOfDevices(one))
  const securitySchemes = Object.fromEntries(known)
  const securityRequirements = card.securityRequirements.filter(({ schemes }) =>
    Object.keys(schemes).every((name) => name in securitySchemes),
  )
  return { ...card, securitySchemes, securityRequirements }
}

function isOfDevices({ scheme }: AgentCard['securitySchemes'][string]): boolean {
  return (
    scheme?.$case === 'oauth2SecurityScheme' && scheme.value.flows?.flow?.$case === 'deviceCode'
  )
}

/**
 * Adds the members that clients of 0.3 look for to those of 1.0. The official client does not check
 * whether these members are signed, and uses those that it knows to be.
 */
export function withLegacyMembers(
  card: Record<string, unknown>,
  { publicUrl, path, hasExtendedCard = false }: CardPlace,
): Record<string, unknown> {
  return {
    ...card,
    url: doorAddress(publicUrl, path),
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3',
    supportsAuthenticatedExtendedCard: hasExtendedCard,
    securitySchemes: legacySchemes(card['securitySchemes']),
    security: legacyRequirements(card['securityRequirements']),
  }
}

/** Each alternative with its scopes by the name of the scheme. */
function legacyRequirements(requirements: unknown): Record<string, readonly string[]>[] {
  // As `securityOf` made them; what is empty is left out of the JSON.
  const asked = (requirements ?? []) as { schemes?: Record<string, { list?: string[] }> }[]
  return asked.map(({ schemes = {} }) =>
    Object.fromEntries(Object.entries(schemes).map(([name, { list = [] }]) => [name, list])),
  )
}

const types: Readonly<Record<string, string>> = {
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
}

/** Each with the members of both versions; its description is there once. */
function legacySchemes(schemes: unknown): Record<string, unknown> {
  // As `securityOf` made them: each has one member, by its kind.
  const named = schemes as Record<string, Record<string, { description?: string }>>
  const legacy = (scheme: Record<string, { description?: string }>): object =>
    Object.assign({}, ...Object.entries(scheme).map(legacyScheme))
  return Object.fromEntries(Object.entries(named).map(([name, one]) => [name, legacy(one)]))
}

function legacyScheme([kind, value]: [string, { description?: string }]): object {
  const { description: _once, ...inner } = value
  return { type: types[kind], ...value, [kind]: inner }
}
