import * as z from 'zod'
import { forReaders, type Reading } from '#src/agents/visibility/ability-access.ts'
import { CharacterId } from '#src/agents/name.ts'
import type { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { pageAnswer, pageInput, pageOf, readPage, type Page } from '#src/core/page.ts'
import { MemoryEntry, sourceOfMemory } from '#src/agents/memory/entry.ts'
import { withMarks } from '#src/core/text/untrusted.ts'

export const list = operation({
  name: 'memory.list',
  summary: 'List what an agent remembers in a namespace, by key.',
  description:
    "Another account's agent lets others read as its ability_access.memory says; public needs no " +
    'credential.',
  example: { char_id: 'ada', namespace: 'readers' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/memory/{namespace}' },
  toolsets: ['agents'],
  input: z.strictObject({ char_id: z.string().max(128), namespace: CharacterId, ...pageInput }),
  output: pageOf(MemoryEntry),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  ...forReaders('memory', entries),
})

async function entries(
  { char_id, namespace, ...page }: Page & { char_id: string; namespace: string },
  agent: { id: string; owner_id: string },
  { store, caller }: Reading,
): Promise<Answer<{ items: never[]; next_cursor: string | null }>> {
  const order = { list: `memory ${char_id} ${namespace}`, by: 'key', direction: 1 } as const
  const among = { char_id, namespace, owner_id: agent.owner_id }
  const source = sourceOfMemory(caller, agent)
  const { rows, next } = await readPage(store.memory, among, page, order)
  return pageAnswer(
    rows.map((row) => withMarks(row.text, source)),
    next,
  )
}
