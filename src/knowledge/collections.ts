import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredChunk, StoredItem } from './item.ts'
import type { StoredShelf } from './library.ts'
import type { Remains } from './purge.ts'
import type { StoredVectors } from './vectors.ts'

/** What agents know. */
interface KnowledgeDocuments {
  knowledge_shelves: StoredShelf
  knowledge_items: StoredItem
  knowledge_chunks: StoredChunk
  knowledge_vectors: StoredVectors
  knowledge_remains: Remains
}

declare module '#src/ports/documents.ts' {
  interface Documents extends KnowledgeDocuments {}
}

/** Their collections. */
export const knowledgeCollections: CollectionsOf<KnowledgeDocuments> = {
  knowledge_shelves: { shardKey: 'id', hidden: [], indexes: [] },
  knowledge_items: {
    shardKey: 'shelf',
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
      'settled_at',
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
      { on: { queue: 1, id: 1 }, sparse: 'queue' },
      { on: { upload: 1, queue: 1, due_at: 1 }, sparse: 'queue' },
      { on: { refresh_at: 1 }, sparse: 'refresh_at' },
      { on: { embedded: 1, owner_id: 1 }, sparse: 'embedded' },
    ],
  },
  knowledge_chunks: {
    shardKey: 'shelf',
    hidden: [],
    indexes: [],
    search: { words: { text: 1, heading: 2 }, marks: ['shelf', 'edition'] },
  },
  knowledge_vectors: { shardKey: 'id', hidden: [], indexes: [] },
  knowledge_remains: { shardKey: null, hidden: [], indexes: [{ on: { due_at: 1 } }] },
}
