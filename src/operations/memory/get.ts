import * as z from 'zod'
import { forReaders, type Reading } from '#src/agents/visibility/ability-access.ts'
import { CharacterId } from '#src/agents/name.ts'
import { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import {
  MemoryEntry,
  memoryKey,
  noMemory,
  revisionInEntry,
  sourceOfMemory,
} from '#src/agents/memory/entry.ts'
import { withMarks } from '#src/core/text/untrusted.ts'

export const get = operation({
  name: 'memory.get',
  summary: 'Read one thing that an agent remembers.',
  description:
    "Another account's agent lets others read as its ability_access.memory says; public needs no " +
    'credential.',
  example: { char_id: 'ada', namespace: 'readers', key: 'grace' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/memory/{namespace}/{key}' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    namespace: CharacterId,
    key: CharacterId,
  }),
  output: MemoryEntry,
  refuses: ['character_not_found', 'forbidden', 'memory_not_found'],

  ...forReaders('memory', entry),
})

async function entry(
  { char_id, namespace, key }: { char_id: string; namespace: string; key: string },
  agent: { id: string; owner_id: string },
  { store, caller }: Reading,
): Promise<Answer<MemoryEntry>> {
  const id = memoryKey(char_id, namespace, key)
  const { owner_id } = agent
  const [row] = await store.memory.text({ id, char_id, owner_id }, { limit: 1 })
  if (!row) return noMemory(store, { char_id, owner_id, namespace, key })
  const text = withMarks(row.text, sourceOfMemory(caller, agent))
  return new Answer(text, { revision: revisionInEntry(row.text) })
}
