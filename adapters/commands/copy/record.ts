import type { Store, Write } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'

/** No server starts on the store from here on, until the record is removed. */
export async function beginCopy({ meta }: Store): Promise<void> {
  await meta.insert({ id: copyId, value: new Date().toISOString() })
}

/** Whether a copy into this store was interrupted. */
export async function wasBrokenOff({ meta }: Store): Promise<boolean> {
  return (await meta.get(copyId)) !== undefined
}

/** The writes that let servers start on the store, with the check of its key. */
export function completionWrites(check: string): Write[] {
  return [
    { in: 'meta', insert: { id: checkId, value: check } },
    { in: 'meta', delete: { id: copyId } },
  ]
}
