import { idsAmong } from '#src/core/large/sizes.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import { isResumed } from '../approvals/verdict.ts'
import { followUpsAtMost, standPaths, standsIn, type Stands } from '../standings/row.ts'

/** The state of a chat task without its messages, which may be long. */
export interface ChatOutline {
  /** The run that goes on now. */
  runId: string
  /** The last approval that it has waited for. */
  approvalId: string | null
  stands: Stands
  /** Of the run, without what is kept apart. */
  bytes: number
  /** The ids of what is kept apart of each. */
  large: { run: string[]; approval: string[] }
}

interface Reader {
  store: Pick<Store, 'runs' | 'approvals'>
  clock: Pick<Clock, 'turn'>
}

const approvalPaths = ['id', 'follow_up_run_id', 'input_ref', 'edited_input_ref'] as const

/** Chat tasks by the ids of their first runs, each as the run that goes on after its approvals. */
export async function outlinesOf(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, ChatOutline>> {
  const outlines = new Map<string, ChatOutline>()
  if (ids.length === 0) return outlines
  for (const row of await reader.store.runs.pick(standPaths, { id: { $in: [...ids] } })) {
    const first = outlineOf(row)
    outlines.set(first.runId, await outlineAfter(reader, first))
  }
  return outlines
}

async function outlineAfter({ store, clock }: Reader, first: ChatOutline): Promise<ChatOutline> {
  let outline = first
  for (let i = 0; i < followUpsAtMost && outline.approvalId !== null; i++) {
    await turnOf(clock)
    const [asked] = await store.approvals.pick(approvalPaths, { id: outline.approvalId })
    if (!asked) break
    const [approvalId, followUp, ...refs] = asked
    const approval = idsAmong(refs)
    outline = { ...outline, large: { ...outline.large, approval } }
    if (!isResumed(outline.stands) || typeof followUp !== 'string') break
    const [row] = await store.runs.pick(standPaths, { id: followUp })
    if (!row) break
    const next = outlineOf(row)
    if (next.approvalId !== null) {
      outline = next
      continue
    }
    return { ...next, approvalId: String(approvalId), large: { ...next.large, approval } }
  }
  return outline
}

function outlineOf(row: Picked): ChatOutline {
  const { id: runId, bytes, stands, approvalId, large } = standsIn(row)
  return { runId, approvalId, stands, bytes: bytes ?? 0, large: { run: large, approval: [] } }
}
