import * as z from 'zod'
import { forReaders, type Reading } from '#src/agents/visibility/ability-access.ts'
import type { Answer } from '#src/core/answer.ts'
import { operation } from '#src/core/operation.ts'
import { openCursor, pageAnswer, pageInput, pageOf, sealCursor, type Page } from '#src/core/page.ts'
import type { Store } from '#src/ports/store.ts'
import { BoundedCount, countedUpTo } from '#src/core/counts/bounded.ts'

/** Each is found by a step of its own. */
const namespacesAtMost = 50

const MemoryNamespace = z
  .object({
    namespace: z.string(),
    entries: BoundedCount,
    updated_at: z.string().describe('When one of them was last put.'),
  })
  .meta({ id: 'MemoryNamespace' })
type MemoryNamespace = z.infer<typeof MemoryNamespace>

export const namespaces = operation({
  name: 'memory.namespaces',
  summary: 'List the namespaces of a memory, with how much each holds.',
  description:
    'Each with when an entry was last put; memory.list reads them. ' +
    "Another account's agent lets others read as its ability_access.memory says; public needs no " +
    'credential.',
  example: { char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/characters/{char_id}/memory' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    ...pageInput,
    limit: z.int().min(1).max(namespacesAtMost).default(20).describe('Items a page.'),
  }),
  output: pageOf(MemoryNamespace),
  refuses: ['character_not_found', 'forbidden', 'cursor_invalid'],

  ...forReaders('memory', listed),
})

async function listed(
  { char_id, limit, cursor }: Page & { char_id: string },
  agent: { owner_id: string },
  { store }: Reading,
): Promise<Answer<{ items: never[]; next_cursor: string | null }>> {
  const order = { list: `memory ${char_id}`, by: 'namespace', direction: 1 } as const
  const among = { char_id, owner_id: agent.owner_id }
  const items: MemoryNamespace[] = []
  let after = cursor === undefined ? '' : openCursor(order, cursor)[1]
  let next = await firstAfter(store, among, after)
  for (; next && items.length < limit; next = await firstAfter(store, among, after)) {
    const { namespace, updated_at } = next
    after = namespace
    const entries = await countedUpTo(store.memory, { ...among, namespace })
    items.push({ namespace, entries, updated_at })
  }
  return pageAnswer(
    items.map((one) => JSON.stringify(one)),
    next ? sealCursor(order, [after, after]) : null,
  )
}

/** The next namespace by its name, with when one of its entries was last put: one step of an index. */
async function firstAfter(
  { memory }: Pick<Store, 'memory'>,
  among: { char_id: string; owner_id: string },
  after: string,
): Promise<Pick<MemoryNamespace, 'namespace' | 'updated_at'> | undefined> {
  const sort = { namespace: 1, updated_at: -1 } as const
  const later = { ...among, namespace: { $gt: after } }
  const [found] = await memory.pick(['namespace', 'updated_at'], later, { sort, limit: 1 })
  return found && { namespace: String(found[0]), updated_at: String(found[1]) }
}
