import type { App, AppRevision } from './app/app.ts'
import type { CollectionsOf } from '#src/ports/documents.ts'
import type { StoredCharacter } from './character.ts'
import type { StoredConnection } from './connections/connection.ts'
import type { DirectoryEntry, DirectorySkill } from './directory/entry.ts'
import type { Edge } from './friends/edge.ts'
import type { Media } from './media/media.ts'
import type { StoredMemoryEntry } from './memory/entry.ts'
import type { MemoryShelf } from './memory/shelf.ts'
import type { StoredMessage } from './messages/message.ts'
import type { CharacterRevision } from './revision-record.ts'
import type { SecretShelf } from './secrets/stored-secrets.ts'
import type { StoredTask } from './tasks/task.ts'
import type { Subscription } from './visibility/subscription.ts'

/** Agents with everything that belongs to them, and the apps that describe them. */
interface AgentDocuments {
  characters: StoredCharacter
  character_revisions: CharacterRevision
  directory: DirectoryEntry
  directory_skills: DirectorySkill
  secrets: SecretShelf
  outbound_connections: StoredConnection
  tasks: StoredTask
  edges: Edge
  messages: StoredMessage
  memory: StoredMemoryEntry
  memory_shelves: MemoryShelf
  media: Media
  subscriptions: Subscription
  apps: App
  app_revisions: AppRevision
}

declare module '#src/ports/documents.ts' {
  interface Documents extends AgentDocuments {}
}

/** Their collections. */
export const agentCollections: CollectionsOf<AgentDocuments> = {
  characters: {
    shardKey: 'id',
    hidden: ['words', 'hooked', 'feed_for', 'friends_private', 'settings_secrets', 'by_agent'],
    columns: ['created_at', 'feed_for', 'owner_id', 'name'],
    indexes: [
      { on: { owner_id: 1, created_at: -1 } },
      { on: { app_id: 1 }, sparse: 'app_id' },
      { on: { owner_id: 1, app_id: 1, created_at: -1 }, sparse: 'app_id' },
    ],
  },
  character_revisions: {
    shardKey: 'char_id',
    hidden: ['id', 'char_id', 'owner_id', 'character', 'friends_private', 'size', 'kept'],
    indexes: [{ on: { char_id: 1, revision: -1 } }],
  },
  directory: {
    shardKey: null,
    hidden: ['heading', 'words', 'skill_keys'],
    indexes: [{ on: { created_at: -1 } }],
    search: { words: { heading: 4, words: 1 }, marks: ['skill_keys'] },
  },
  directory_skills: {
    shardKey: null,
    hidden: [],
    indexes: [{ on: { skill: 1, created_at: -1 } }, { on: { char_id: 1 } }],
  },
  secrets: { shardKey: 'id', hidden: [], indexes: [] },
  outbound_connections: {
    shardKey: null,
    hidden: [
      'owner_id',
      'origin',
      'place',
      'server_name',
      'updated_at',
      'sealed_grant',
      'token_until',
      'renewer',
      'renewer_until',
      'sealed_attempt',
      'attempt_hash',
      'attempt_until',
    ],
    indexes: [
      { on: { char_id: 1, resource: 1 }, unique: true },
      { on: { owner_id: 1, created_at: -1 } },
      { on: { attempt_hash: 1 }, unique: true },
      { on: { updated_at: 1 } },
    ],
  },
  tasks: {
    shardKey: 'char_id',
    hidden: [
      'id',
      'owner_id',
      'app_id',
      'trigger_secrets',
      'due_at',
      'disabled_until',
      'last_fire',
      'reacts',
      'awaited_calls',
      'waiting_run',
      'fire_counts',
      'rating_sum',
      'by_agent',
      'owner_sends',
      'app_paused',
    ],
    columns: ['name'],
    indexes: [
      { on: { char_id: 1, order: 1 } },
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { owner_id: 1, due_at: 1 }, sparse: 'due_at' },
      { on: { reacts: 1 }, sparse: 'reacts' },
      { on: { waiting_run: 1 }, sparse: 'waiting_run' },
      {
        on: { owner_id: 1, 'reliability.pause_reason': 1 },
        sparse: 'reliability.pause_reason',
      },
    ],
  },
  edges: {
    shardKey: 'char_id',
    hidden: ['id', 'owner_id', 'app_id', 'outside'],
    columns: ['char_id', 'friend_id', 'outside', 'status'],
    indexes: [
      { on: { char_id: 1, id: 1 } },
      { on: { char_id: 1, status: 1, friend_id: 1 } },
      { on: { friend_id: 1 } },
      { on: { outside: 1, status: 1, friend_id: 1 }, sparse: 'outside' },
    ],
  },
  messages: {
    shardKey: 'to',
    hidden: ['from_owner', 'to_owner', 'deleted_by'],
    indexes: [{ on: { from: 1, id: -1 } }, { on: { to: 1, id: -1 } }],
  },
  memory: {
    shardKey: 'char_id',
    hidden: ['id', 'char_id', 'owner_id', 'words'],
    indexes: [
      { on: { char_id: 1, namespace: 1, key: 1 } },
      // With the owner at its end, so that entries are counted in it alone.
      { on: { char_id: 1, namespace: 1, updated_at: -1, owner_id: -1 } },
    ],
    search: { words: { key: 2, words: 1 }, marks: ['char_id', 'owner_id', 'namespace'] },
  },
  memory_shelves: { shardKey: 'id', hidden: [], indexes: [] },
  media: { shardKey: 'char_id', hidden: [], indexes: [{ on: { char_id: 1 } }] },
  subscriptions: {
    shardKey: 'account_id',
    hidden: [],
    indexes: [
      { on: { account_id: 1, char_id: 1 } },
      { on: { seller_id: 1, char_id: 1 }, sparse: 'seller_id' },
      { on: { due_at: 1 }, sparse: 'due_at' },
    ],
  },
  apps: { shardKey: 'id', hidden: [], indexes: [{ on: { owner_id: 1, created_at: -1 } }] },
  app_revisions: { shardKey: 'app_id', hidden: [], indexes: [{ on: { app_id: 1, revision: -1 } }] },
}
