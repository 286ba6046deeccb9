import { Refusal } from '../errors.ts'
import type { Warning } from '../schema.ts'

/** Reads what a member of an input names; it refuses where nothing is there. */
export type LookUp = () => Promise<unknown>

/**
 * Why a list may be empty: its filters that name what does not exist, in the words of a refusal. Nothing is looked
 * up for a list that has items, or for the pages after its first.
 * @param named by the members of the input that were sent
 */
export async function unknownFilters(
  { rows, cursor }: { rows: readonly unknown[]; cursor?: string | undefined },
  named: Readonly<Record<string, LookUp | undefined>>,
): Promise<{ warnings: Warning[] } | undefined> {
  if (rows.length > 0 || cursor !== undefined) return undefined
  const looked = Object.entries(named).flatMap(([member, look]) =>
    look ? [missing(member, look)] : [],
  )
  const warnings = (await Promise.all(looked)).filter((one) => one !== undefined)
  return warnings.length > 0 ? { warnings } : undefined
}

async function missing(member: string, look: LookUp): Promise<Warning | undefined> {
  try {
    await look()
    return undefined
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    const { message, hint } = cause
    const words = hint === undefined ? message : `${message} ${hint}`
    return { code: 'unknown', pointer: `/${member}`, message: words }
  }
}
