import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { CharacterId } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import { buried } from '#src/core/tombstones.ts'
import { Unmet } from '#src/ports/store.ts'
import { memoryKey, noMemory, publicEntry } from '#src/agents/memory/entry.ts'
import { shelfOf, shelved } from '#src/agents/memory/shelf.ts'

// `delete` is a reserved word.
export const remove = operation({
  name: 'memory.delete',
  summary: 'Let an agent forget one thing.',
  example: { char_id: 'ada', namespace: 'readers', key: 'grace' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/memory/{namespace}/{key}' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    namespace: CharacterId,
    key: CharacterId,
  }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  refuses: [
    'character_not_found',
    'forbidden',
    'memory_not_found',
    'revision_mismatch',
    'write_conflict',
  ],
  destructive: true,

  run({ char_id, namespace, key }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const id = memoryKey(char_id, namespace, key)
      const ownerId = context.caller.accountId
      const [[entry], shelf] = await Promise.all([
        context.store.memory.find({ id, char_id, owner_id: ownerId }, { limit: 1 }),
        shelfOf(context.store, { charId: char_id, ownerId }),
      ])
      if (!entry) {
        return noMemory(context.store, { char_id, owner_id: ownerId, namespace, key })
      }
      if (!shelf) throw new Unmet('characters', 0)
      const { revision } = entry
      mustBe(revision, context.expected)
      const burial = await buried(context.store, 'memory', [entry], context.clock.now())
      const bytes = sizeOf(publicEntry(entry))
      const gone = { id: `${namespace}/${key}`, deleted: true as const }
      return context.commit(
        gone,
        [
          // Bound to the revision, so that what is deleted is what was decided on.
          { in: 'memory', update: { id, revision }, change: { $set: { revision } } },
          { in: 'memory', delete: { id } },
          shelved(shelf, -bytes),
          ...burial.writes,
        ],
        { bytes: burial.bytes - bytes },
      )
    })
  },
})
