import { countedNames, numberOf } from '#src/accounts/recount.ts'
import type { Store } from '#src/ports/store.ts'
import { batchesOf, collectionIn } from '../copy/batches.ts'
import type { Fault, Verifying } from './fault.ts'

/** Accounts whose count of agents or apps is not their number. */
export async function* brokenCounts({ store, looked }: Verifying): AsyncGenerator<Fault> {
  for await (const batch of batchesOf(collectionIn(store, 'accounts'))) {
    for (const { id } of batch) {
      for (const name of countedNames) {
        const fault = await faultOf(store, id, name)
        if (fault === undefined) continue
        // A server may have made one between the two reads.
        const again = await faultOf(store, id, name)
        if (fault === again) yield { at: `usage ${id}`, fault }
      }
    }
    looked(batch.length)
  }
}

async function faultOf(
  store: Store,
  id: string,
  name: (typeof countedNames)[number],
): Promise<string | undefined> {
  const kept = (await store.usage.get(id))?.[name] ?? 0
  const number = await numberOf[name](store, id)
  return kept === number ? undefined : `${name} counts ${kept}, and there are ${number}`
}
