import type { A2aDoorOptions } from './options.ts'
import type { Operation } from '#src/core/operation.ts'
import { cardOf, signedCard } from './card/card.ts'
import type { Desk } from './desk.ts'
import { TaskIds } from './ids.ts'
import { menuOf } from './menu.ts'
import type { Version } from './names.ts'
import { ProtocolMethods, streamInBatch, versionNotSupported } from './protocol.ts'
import { Runs } from './runs.ts'
import { TaskStore } from './task-store.ts'
import type { CardKey } from './card/signature.ts'

/** Everything of the door that needs the SDK. */
export interface ProtocolSide {
  methods: ProtocolMethods
  /** The signed card; made once for each version. */
  card(version: Version): Promise<{ text: string; etag: string }>
  versionNotSupported: typeof versionNotSupported
  streamInBatch: typeof streamInBatch
}

export interface SideOptions extends A2aDoorOptions, Pick<Desk, 'closing' | 'count'> {
  operations: readonly Operation[]
  key: CardKey
}

export function protocolSide(options: SideOptions): ProtocolSide {
  const { core, operations, store, clock, log, sealer, closing, count, key } = options
  const { name, publicUrl } = options
  const cards = new Map<Version, Promise<{ text: string; etag: string }>>()
  return {
    methods: new ProtocolMethods({
      operations: new Map(operations.map((op) => [op.name, op])),
      menu: menuOf(name, operations, publicUrl),
      card: cardOf(options),
      store: new TaskStore(store, clock),
      runs: new Runs(core),
      ids: new TaskIds(sealer),
      clock,
      log,
      closing,
      count,
    }),
    card(version) {
      const made = cards.get(version) ?? signedCard(options, key, version)
      cards.set(version, made)
      return made
    },
    versionNotSupported,
    streamInBatch,
  }
}
