import type { AgentCard } from '@a2a-js/sdk'
import type { A2aDoorOptions } from './options.ts'
import type { Operation } from '#src/core/operation.ts'
import { Signpost } from '#src/core/words/signpost.ts'
import { cardFor, cardOf, extendedCardOf, signaturesOf, signedCard } from './card/card.ts'
import type { Desk } from './desk.ts'
import { TaskIds } from './ids.ts'
import { Messages } from './messages.ts'
import type { Version } from './names.ts'
import { ProtocolMethods } from './protocol.ts'
import { Runs } from '#protocol/runs.ts'
import { TaskStore } from './kept/task-store.ts'
import { streamInBatch, versionNotSupported } from './refusals.ts'
import type { CardKey } from './card/signature.ts'

/** Everything in a door that needs the SDK. */
export interface ProtocolSide {
  methods: ProtocolMethods
  versionNotSupported: typeof versionNotSupported
  streamInBatch: typeof streamInBatch
}

/** The same at a door to operations. */
export interface OperationsSide extends ProtocolSide {
  /** The signed card; made once for each version. */
  card(version: Version): Promise<{ text: string; etag: string }>
}

export interface SideOptions extends A2aDoorOptions, Pick<Desk, 'closing' | 'count'> {
  operations: readonly Operation[]
  key: CardKey
}

export function protocolSide(options: SideOptions): OperationsSide {
  const { core, operations, store, clock, log, sealer, closing, count, key } = options
  const place = { publicUrl: options.publicUrl, path: options.path, hasExtendedCard: true }
  const cards = new Map<Version, Promise<{ text: string; etag: string }>>()
  const extended = new Map<Version, Promise<AgentCard>>()
  const desk: Desk = {
    operations: new Map(operations.map((op) => [op.name, op])),
    catalog: operations,
    signpost: new Signpost(core.catalog, operations),
    absent: options.absent,
    card: cardOf(options),
    extendedCard(version) {
      const made = extended.get(version) ?? extendedCard(options, version)
      extended.set(version, made)
      return made
    },
    store: new TaskStore(store, clock, options.counts),
    runs: new Runs(core, options.standings),
    ids: new TaskIds(sealer),
    clock,
    log,
    closing,
    count,
  }
  return {
    methods: new ProtocolMethods({
      clock,
      log,
      count,
      handler: (exchange, version) => new Messages(desk, exchange, version),
      // The core counts operation calls itself.
      countsItself: (method) => method === 'SendMessage' || method === 'SendStreamingMessage',
      hasExtendedCard: true,
    }),
    card(version) {
      const made = cards.get(version) ?? signedCard(desk.card, place, key, version)
      cards.set(version, made)
      return made
    },
    versionNotSupported,
    streamInBatch,
  }
}

/** Signed, as the public one is. */
async function extendedCard(options: SideOptions, version: Version): Promise<AgentCard> {
  const card = cardFor(version, extendedCardOf(options))
  return { ...card, signatures: await signaturesOf(card, options, options.key) }
}
