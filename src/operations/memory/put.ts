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
import { isMap } from '#src/core/maps.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { Unmet } from '#src/ports/store.ts'

export const put = operation({
  name: 'memory.put',
  summary: 'Let an agent remember a value, which replaces the former one.',
  description:
    'Any JSON up to 64 KB. It is replaced as a whole, never merged. Over REST the whole body is the ' +
    'value.',
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
  output: MemoryEntry.extend({ warnings: z.array(Warning).optional() }),
  refuses: ['character_not_found', 'forbidden', 'revision_mismatch', 'write_conflict'],

  run({ char_id, namespace, key, value }, context) {
    return retryUnmet(async () => {
      await ownRow(context, char_id)
      const place = { charId: char_id, ownerId: context.caller.accountId, namespace, key }
      const made = await memoryPut(context.store, place, value, context.clock.now())
      if (!made) throw new Unmet('characters', 0)
      mustBe(made.previous?.revision ?? 0, context.expected)
      const { revision } = made.entry
      const answer = withWarnings(publicEntry(made.entry), wrapperWarnings(value))
      return context.commit(answer, made.writes, { revision })
    })
  },
})

const around: ReadonlySet<string> = new Set(['char_id', 'namespace', 'key', 'value'])

/** Of a value that looks like the input of the call around another value: it may also be meant as it is. */
function wrapperWarnings(value: unknown): Warning[] {
  if (!isMap(value) || !Object.hasOwn(value, 'value')) return []
  if (!Object.keys(value).every((name) => around.has(name))) return []
  const message =
    'What is kept is the whole object with the member "value". If what stands in that member is meant, send it alone.'
  return [{ code: 'kept_whole', pointer: '/value', message }]
}
