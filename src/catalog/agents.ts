import type { Operation } from '#src/core/operation.ts'
import { generateSection as aiGenerateSection } from '#src/operations/ai/generate-section.ts'
import { generate as aiGenerate } from '#src/operations/ai/generate.ts'
import { clone as charactersClone } from '#src/operations/characters/clone.ts'
import { create as charactersCreate } from '#src/operations/characters/create.ts'
import { remove as charactersDelete } from '#src/operations/characters/delete.ts'
import { exportCharacter as charactersExport } from '#src/operations/characters/export.ts'
import { get as charactersGet } from '#src/operations/characters/get.ts'
import { importCharacter as charactersImport } from '#src/operations/characters/import.ts'
import { list as charactersList } from '#src/operations/characters/list.ts'
import { add as charactersPhotosAdd } from '#src/operations/characters/photos/add.ts'
import { remove as charactersPhotosRemove } from '#src/operations/characters/photos/remove.ts'
import { setAsProfile as charactersPhotosSetAsProfile } from '#src/operations/characters/photos/set-as-profile.ts'
import { get as charactersRevisionsGet } from '#src/operations/characters/revisions/get.ts'
import { pause as charactersPause } from '#src/operations/characters/pause.ts'
import { list as charactersRevisionsList } from '#src/operations/characters/revisions/list.ts'
import { restore as charactersRevisionsRestore } from '#src/operations/characters/revisions/restore.ts'
import { resume as charactersResume } from '#src/operations/characters/resume.ts'
import { list as charactersSecretsList } from '#src/operations/characters/secrets/list.ts'
import { update as charactersSecretsUpdate } from '#src/operations/characters/secrets/update.ts'
import { update as charactersUpdate } from '#src/operations/characters/update.ts'
import { get as charactersVisibilityGet } from '#src/operations/characters/visibility/get.ts'
import { update as charactersVisibilityUpdate } from '#src/operations/characters/visibility/update.ts'
import { list as channelsList } from '#src/operations/channels/list.ts'
import { receive as channelsReceive } from '#src/operations/channels/receive.ts'
import { send as channelsSend } from '#src/operations/channels/send.ts'
import { accept as friendsAccept } from '#src/operations/friends/accept.ts'
import { list as friendsList } from '#src/operations/friends/list.ts'
import { remove as friendsRemove } from '#src/operations/friends/remove.ts'
import { request as friendsRequest } from '#src/operations/friends/request.ts'
import { token as identityToken } from '#src/operations/identity/token.ts'
import { remove as memoryDelete } from '#src/operations/memory/delete.ts'
import { get as memoryGet } from '#src/operations/memory/get.ts'
import { list as memoryList } from '#src/operations/memory/list.ts'
import { namespaces as memoryNamespaces } from '#src/operations/memory/namespaces.ts'
import { put as memoryPut } from '#src/operations/memory/put.ts'
import { search as memorySearch } from '#src/operations/memory/search.ts'
import { remove as messagesDelete } from '#src/operations/messages/delete.ts'
import { list as messagesList } from '#src/operations/messages/list.ts'
import { send as messagesSend } from '#src/operations/messages/send.ts'

/** Agents, the texts that a model writes for them, their friends, and what they store. */
export const agents: readonly Operation[] = [
  charactersList,
  charactersGet,
  charactersCreate,
  charactersUpdate,
  charactersDelete,
  charactersImport,
  charactersExport,
  charactersClone,
  charactersPause,
  charactersResume,
  charactersVisibilityGet,
  charactersVisibilityUpdate,
  charactersSecretsList,
  charactersSecretsUpdate,
  charactersPhotosAdd,
  charactersPhotosSetAsProfile,
  charactersPhotosRemove,
  charactersRevisionsList,
  charactersRevisionsGet,
  charactersRevisionsRestore,
  identityToken,
  aiGenerate,
  aiGenerateSection,
  friendsList,
  friendsRequest,
  friendsAccept,
  friendsRemove,
  messagesSend,
  messagesList,
  messagesDelete,
  channelsList,
  channelsSend,
  channelsReceive,
  memoryPut,
  memoryGet,
  memoryNamespaces,
  memoryList,
  memorySearch,
  memoryDelete,
]
