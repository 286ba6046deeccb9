import { describe, it } from 'vitest'
import { isLong } from '../long-tests.ts'
import { stores, type StoreKind } from '../stores.ts'

interface Declaring {
  it: typeof it
  describe: typeof describe
}

/**
 * For a file that needs every store for some of its tests only, such as those in which much happens at
 * once: `it` and `describe` that declare nothing on later stores, except in the long form.
 */
export function onFirstStore({ name }: StoreKind): Declaring {
  if (isLong || name === stores()[0]?.name) return { it, describe }
  // Every call on it declares nothing, `it.each(rows)('…', test)` too.
  const nothing: unknown = new Proxy(() => nothing, { get: () => nothing })
  return { it: nothing, describe: nothing } as Declaring
}
