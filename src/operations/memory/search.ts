import * as z from 'zod'
import { sourceOfMemory } from '#src/agents/memory/entry.ts'
import { findMemory, MemoryHit } from '#src/agents/memory/find.ts'
import { searchedCharacters } from '#src/agents/memory/words.ts'
import { CharacterId } from '#src/agents/name.ts'
import { forReaders, type Reading } from '#src/agents/visibility/ability-access.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'

export const search = operation({
  name: 'memory.search',
  summary: 'Find what an agent remembers about something, best entries first.',
  description:
    'An entry ranks higher the more of the words its key and value contain, and the rarer they ' +
    `are; the first ${searchedCharacters} characters of a value are searched. Another account's ` +
    'agent lets others read as its ability_access.memory says; public needs no credential.',
  example: { char_id: 'ada', q: 'who likes tides' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/memory-search' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    q: z.string().min(1).max(500),
    namespace: CharacterId.optional().describe('Only what is remembered there.'),
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({ items: z.array(MemoryHit) }),
  refuses: ['character_not_found', 'forbidden'],

  ...forReaders('memory', found),
})

interface Question {
  char_id: string
  q: string
  namespace?: string | undefined
  limit: number
}

async function found(
  { char_id, q, namespace, limit }: Question,
  agent: { id: string; owner_id: string },
  { store, caller }: Reading,
): Promise<Answer<{ items: never[] }>> {
  const source = sourceOfMemory(caller, agent)
  const among = { charId: char_id, ownerId: agent.owner_id, namespace, source }
  return new Answer(`{"items":[${(await findMemory(store, among, q, limit)).join(',')}]}`)
}
