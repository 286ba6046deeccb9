import type { CollectionName } from '#src/ports/documents.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import { hasEnded, type Run } from '#src/runs/run.ts'
import { batchesOf, collectionIn, type Document } from '../copy/batches.ts'
import type { Fault, Verifying } from './fault.ts'

interface Reference {
  from: CollectionName
  to: CollectionName
  /** The id that a document names; undefined where it need not be there. */
  named: (document: Document) => string | undefined
}

type Members = Document & Readonly<Record<string, unknown>>

/** @param member that holds the id of what must be there */
function by(from: CollectionName, member: string, to: CollectionName): Reference {
  return {
    from,
    to,
    named(document) {
      // Members are read by their name: one function for all collections.
      const value = (document as Members)[member]
      return typeof value === 'string' ? value : undefined
    },
  }
}

/** The task of a run that has not ended: one that has outlives its task. */
function taskOfRun(document: Document): string | undefined {
  // What is in the collection of runs.
  const run = document as Run
  return run.task_id === null || hasEnded(run) ? undefined : taskKey(run.char_id, run.task_id)
}

const references: readonly Reference[] = [
  by('characters', 'owner_id', 'accounts'),
  by('tasks', 'char_id', 'characters'),
  by('api_keys', 'account_id', 'accounts'),
  by('memberships', 'account_id', 'accounts'),
  by('memberships', 'person_id', 'persons'),
  by('media', 'char_id', 'characters'),
  by('runs', 'owner_id', 'accounts'),
  { from: 'runs', to: 'tasks', named: taskOfRun },
  by('runs', 'input_ref', 'large_values'),
  by('runs', 'output_ref', 'large_values'),
  by('approvals', 'input_ref', 'large_values'),
  by('approvals', 'edited_input_ref', 'large_values'),
  by('orders', 'output_ref', 'large_values'),
]

/** What names something that is not there. */
export async function* brokenReferences(verifying: Verifying): AsyncGenerator<Fault> {
  for (const reference of references) {
    for await (const batch of batchesOf(collectionIn(verifying.store, reference.from))) {
      yield* brokenOf(verifying, reference, batch)
      verifying.looked(batch.length)
    }
  }
}

async function* brokenOf(
  { store }: Verifying,
  { from, to, named }: Reference,
  batch: readonly Document[],
): AsyncGenerator<Fault> {
  const target = collectionIn(store, to)
  const ids = new Set(batch.map(named).filter((id) => id !== undefined))
  if (ids.size === 0) return
  const found = await target.pick(['id'], { id: { $in: [...ids] } })
  const known = new Set(found.map(([id]) => String(id)))
  for (const document of batch) {
    const id = named(document)
    if (id === undefined || known.has(id)) continue
    // A server may have changed both since the batch was read.
    const now = await collectionIn(store, from).get(document.id)
    const wanted = now && named(now)
    if (wanted === undefined || (await target.get(wanted))) continue
    const fault = `names ${wanted} in ${to}, which is not there`
    yield { at: `${from} ${document.id}`, fault }
  }
}
