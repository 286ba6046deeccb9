import { agentDoorPath } from '#src/core/text/a2a-address.ts'
import { withRole } from '#src/core/roles.ts'
import { cardFor, signaturesOf, signedCard, type SignedCard } from '#protocol/a2a/card/card.ts'
import type { CardKey } from '#protocol/a2a/card/signature.ts'
import type { SharedSide } from '#protocol/a2a/door.ts'
import type { Version } from '#protocol/a2a/names.ts'
import { ProtocolMethods } from '#protocol/a2a/protocol.ts'
import { streamInBatch, versionNotSupported } from '#protocol/a2a/refusals.ts'
import type { ProtocolSide } from '#protocol/a2a/side.ts'
import { agentCard } from './card.ts'
import type { AgentDesk } from './desk.ts'
import { AgentMessages } from './messages.ts'
import type { AgentDoorsOptions } from './options.ts'
import type { Face } from './shown.ts'

/** Everything in the doors of agents that needs the SDK. */
export interface AgentSide extends ProtocolSide {
  /** The signed card of an agent. */
  card(face: Face, version: Version): Promise<SignedCard>
}

interface SideOptions extends AgentDoorsOptions, SharedSide {
  key: CardKey
}

/** Cached, because signing takes longer than the rest of a card. */
const cardsAtMost = 500

export function agentSide(options: SideOptions): AgentSide {
  const { core, operations, clock, log, closing, count, key, publicUrl } = options
  const cards = new Map<string, Promise<SignedCard>>()
  const desk: AgentDesk = {
    operations,
    decide: withRole(core.catalog, 'decide_approval'),
    lease: withRole(core.catalog, 'lease_run'),
    clock,
    closing,
    count,
    async extendedCard(face, version) {
      const card = cardFor(version, agentCard(face, options))
      return { ...card, signatures: await signaturesOf(card, { publicUrl }, key) }
    },
  }
  return {
    methods: new ProtocolMethods({
      clock,
      log,
      count,
      handler: (exchange, version) => new AgentMessages(desk, exchange, version),
      // All of them call operations.
      countsItself: () => true,
      hasPush: true,
      hasExtendedCard: true,
    }),
    versionNotSupported,
    streamInBatch,
    card(face, version) {
      // An id alone may belong to another agent by now.
      const name = `${version} ${JSON.stringify(face)}`
      const place = { publicUrl, path: agentDoorPath(face.id), hasExtendedCard: true }
      const made = cards.get(name) ?? signedCard(agentCard(face, options), place, key, version)
      // Inserted again, so that the first of the map is the least recently used one.
      cards.delete(name)
      cards.set(name, made)
      const [oldest] = cards.size > cardsAtMost ? cards.keys() : []
      if (oldest !== undefined) cards.delete(oldest)
      return made
    },
  }
}
