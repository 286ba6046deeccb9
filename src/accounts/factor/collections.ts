import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredFactor } from './factor.ts'

/** What persons are asked for after their passwords. */
interface FactorDocuments {
  second_factors: StoredFactor
}

declare module '#src/ports/documents.ts' {
  interface Documents extends FactorDocuments {}
}

/** Their collection. */
export const factorCollections: CollectionsOf<FactorDocuments> = {
  second_factors: { shardKey: null, hidden: [], indexes: [] },
}
