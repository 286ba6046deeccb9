import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfKnowledge = Extract<keyof Documents, `knowledge_${string}`>

/** The collections of what agents know. */
export const ofKnowledge: { readonly [N in OfKnowledge]: CollectionDefinition } = {
  knowledge_shelves: { hidden: [], indexes: [] },
  knowledge_items: {
    hidden: [
      'owner_id',
      'shelf',
      'address',
      'turn',
      'queue',
      'due_at',
      'refresh_at',
      'claim',
      'attempts',
      'edition',
      'embedded',
      'is_named',
      'upload',
      'etag',
      'last_modified',
      'weight',
    ],
    indexes: [
      { on: { address: 1 }, unique: true },
      { on: { shelf: 1, id: -1 } },
      { on: { shelf: 1, status: 1, id: -1 } },
      { on: { source_id: 1, id: 1 }, sparse: 'source_id' },
      { on: { queue: 1, due_at: 1 }, sparse: 'queue' },
      { on: { refresh_at: 1 }, sparse: 'refresh_at' },
      { on: { embedded: 1, owner_id: 1 }, sparse: 'embedded' },
    ],
  },
  knowledge_chunks: {
    hidden: [],
    indexes: [],
    search: { words: { text: 1, heading: 2 }, marks: ['shelf', 'edition'] },
  },
  knowledge_vectors: { hidden: [], indexes: [] },
  knowledge_remains: { hidden: [], indexes: [{ on: { due_at: 1 } }] },
}
