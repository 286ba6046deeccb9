import * as z from 'zod'
import { ownRow } from '#src/agents/access.ts'
import { CharacterId } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import {
  fitsInMemory,
  MemoryEntry,
  publicEntry,
  valueBytesAtMost,
} from '#src/agents/memory/entry.ts'
import { memoryPut } from '#src/agents/memory/put.ts'
import { Unmet } from '#src/ports/store.ts'

export const put = operation({
  name: 'memory.put',
  summary: 'Let an agent remember a value, which replaces the former one.',
  description: 'Any JSON up to 64 KB. It is replaced as a whole, never merged.',
  example: { char_id: 'ada', namespace: 'readers', key: 'grace', value: { likes: ['tides'] } },
  auth: 'key',
  scope: 'agent',
  http: { method: 'PUT', path: '/api/characters/{char_id}/memory/{namespace}/{key}' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    namespace: CharacterId,
    key: CharacterId,
    value: z.json().refine(fitsInMemory, {
      error: `must have at most ${valueBytesAtMost} bytes as JSON`,
      params: { code: 'too_big' },
    }),
  }),
  document: 'value',
  output: MemoryEntry,
  refuses: ['character_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  run({ char_id, namespace, key, value }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const place = { charId: char_id, ownerId: context.caller.accountId, namespace, key }
      const made = await memoryPut(context.store, place, value, context.clock.now())
      if (!made) throw new Unmet('characters', 0)
      mustBe(made.previous?.revision ?? 0, context.expected)
      const { revision } = made.entry
      return context.commit(publicEntry(made.entry), made.writes, { revision })
    })
  },
})
