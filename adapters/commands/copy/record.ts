import type { Store, Write } from '#src/ports/store.ts'
import { checkId, copyId } from '#adapters/compose/master-key.ts'

/** From here on no server starts on the store, until it is taken away. */
export async function begun({ meta }: Store): Promise<void> {
  await meta.insert({ id: copyId, value: new Date().toISOString() })
}

/** Whether a copy into this store was broken off. */
export async function wasBrokenOff({ meta }: Store): Promise<boolean> {
  return (await meta.get(copyId)) !== undefined
}

/** What makes the store one that servers start on, with the check of its key. */
export function finishing(check: string): Write[] {
  return [
    { in: 'meta', insert: { id: checkId, value: check } },
    { in: 'meta', delete: { id: copyId } },
  ]
}
