import * as z from 'zod'
import { CharacterId } from '#src/agents/name.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { fitsInMemory, memoryKey, valueBytesAtMost } from '#src/agents/memory/entry.ts'
import { memoryPut } from '#src/agents/memory/put.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { taint } from '#src/runs/output/taint.ts'
import { handoffNamespace } from '#src/runs/output/handoff-input.ts'
import type { Desk } from '../desk.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'
import { needSpace } from './space.ts'

/** Where a task that names no namespace remembers. */
const commonNamespace = 'default'
const keysAtMost = 100
/** A try fails only where someone else has changed the entry. */
const tries = 100

/** What the agent remembers, in the namespace of the task; what others handed to it can be read too. */
export function memoryTools({ work }: Desk): RunTool[] {
  const { ports, run, task } = work
  const { store } = ports
  const own = task.memory_namespace ?? commonNamespace
  const namespace = z
    .enum([...new Set([own, handoffNamespace])])
    .default(own)
    .describe(`"${handoffNamespace}" is where other agents put what they hand over.`)
  const mine = { char_id: run.char_id, owner_id: run.owner_id }

  const read = async (from: string, key: string): Promise<string> => {
    const entry = await store.memory.get(memoryKey(run.char_id, from, key))
    if (entry?.owner_id !== run.owner_id) throw new ToolFault(`Nothing is remembered at "${key}".`)
    taint(run, entry.source)
    return JSON.stringify(entry.value)
  }
  const write = async (key: string, value: unknown): Promise<string> => {
    if (!fitsInMemory(value)) {
      throw new ToolFault(`A value may have at most ${valueBytesAtMost} bytes as JSON.`)
    }
    await needSpace(work)
    const { source } = marksOf(run)
    const place = { charId: run.char_id, ownerId: run.owner_id, namespace: own, key, source }
    for (let left = tries; ; left--) {
      const put = await memoryPut(store, place, value, ports.clock.now())
      if (!put) throw new ToolFault('The agent no longer exists.')
      try {
        await store.commit(put.writes)
        return `Remembered at "${key}".`
      } catch (cause) {
        if (!isOvertaken(cause)) throw cause
        if (left === 0) throw new ToolFault('Others change the same entry: try again later.')
      }
    }
  }
  return [
    ownTool(
      'memory_list',
      `Lists the keys of what you remember, at most ${keysAtMost}.`,
      z.strictObject({ namespace, after: z.string().max(128).default('') }),
      async ({ namespace: from, after }) => {
        const among = { ...mine, namespace: from, key: { $gt: after } }
        const entries = await store.memory.find(among, { sort: { key: 1 }, limit: keysAtMost })
        return JSON.stringify(entries.map(({ key, updated_at }) => ({ key, updated_at })))
      },
    ),
    ownTool(
      'memory_read',
      'Reads what you remember at a key.',
      z.strictObject({ namespace, key: CharacterId }),
      ({ namespace: from, key }) => read(from, key),
    ),
    ownTool(
      'memory_write',
      'Remembers a value at a key, also for later runs; what was there before is replaced.',
      z.strictObject({ key: CharacterId, value: z.json() }),
      ({ key, value }) => write(key, value),
    ),
  ]
}
