import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredClient } from './client.ts'
import type { StoredConnection } from './connection.ts'
import type { OauthArtifact } from './artifact.ts'

/** Programs that persons connect, and what the authorization server keeps of them. */
interface HostDocuments {
  connections: StoredConnection
  oauth_clients: StoredClient
  oauth_artifacts: OauthArtifact
}

declare module '#src/ports/documents.ts' {
  interface Documents extends HostDocuments {}
}

/** Their collections. */
export const hostCollections: CollectionsOf<HostDocuments> = {
  connections: {
    shardKey: null,
    hidden: ['account_id', 'person_id', 'grant'],
    indexes: [
      { on: { account_id: 1, created_at: -1 } },
      { on: { person_id: 1, client_id: 1, id: -1 } },
      { on: { client_id: 1 } },
      { on: { char_id: 1 }, sparse: 'char_id' },
      { on: { expires_at: 1 } },
    ],
  },
  oauth_clients: { shardKey: null, hidden: [], indexes: [{ on: { expires_at: 1 } }] },
  oauth_artifacts: {
    shardKey: null,
    hidden: [],
    indexes: [
      { on: { grant_id: 1 }, sparse: 'grant_id' },
      { on: { user_code: 1 }, unique: true },
      { on: { expires_at: 1 } },
    ],
  },
}
