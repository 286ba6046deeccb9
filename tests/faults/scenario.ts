import { runCommand } from '#tests/support/process.ts'
import type { Place, StoreKind } from '#tests/support/stores.ts'
import type { Figures, Goal } from './verdict.ts'

/** What a scenario is played with. */
export interface Terms {
  kind: StoreKind
  /** The form of CI, which finds the same on less. */
  isShort: boolean
}

/** One kind of fault, and what is promised under it. */
export interface Scenario {
  name: string
  /** In a few words. */
  what: string
  /** The stores on which it means something. */
  stores: readonly StoreKind['name'][]
  goals: readonly Goal[]
  /** Why it cannot be played on this machine. */
  lacks?: () => string | undefined
  play(terms: Terms): Promise<Figures>
}

export const both = ['sqlite', 'mongodb'] as const

/** The settings by which a process finds the store of a place. */
export function storeEnv({ uri }: Pick<Place, 'uri'>): Record<string, string> {
  return uri === undefined ? {} : { MONGODB_URI: uri }
}

/** How many faults `abode verify` finds in a store. @throws Error where it cannot be looked at */
export async function verifyFaults({
  folder,
  uri,
}: Pick<Place, 'folder' | 'uri'>): Promise<number> {
  const env = { DATA_DIR: folder, ABODE_MASTER_KEY: '07'.repeat(32), ...storeEnv({ uri }) }
  const { out, err } = await runCommand('verify', ['--json'], env)
  try {
    // It prints one line of JSON.
    const { found, items } = JSON.parse(out) as { found: number; items: object[] }
    for (const item of items.slice(0, 5)) process.stderr.write(`  ${JSON.stringify(item)}\n`)
    return found
  } catch {
    throw new Error(`verify said ${out}${err}`)
  }
}
