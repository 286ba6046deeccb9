import type { StoreKind } from '#tests/support/stores.ts'
import type { Scenario } from './scenario.ts'
import { judge, type Outcome } from './verdict.ts'

/** Plays a scenario on a store, and judges it. A scenario that cannot be played to its end says why. */
export async function playOn(
  scenario: Scenario,
  kind: StoreKind,
  isShort: boolean,
): Promise<Outcome> {
  const { name, goals } = scenario
  const begun = performance.now()
  const told = (more: Partial<Outcome>): Outcome => ({
    name,
    store: kind.name,
    seconds: Math.round((performance.now() - begun) / 100) / 10,
    judged: [],
    figures: {},
    ...more,
  })
  const skipped = scenario.lacks?.()
  if (skipped !== undefined) return told({ skipped })
  try {
    const figures = await scenario.play({ kind, isShort })
    return told({ figures, judged: judge(goals, figures) })
  } catch (cause) {
    return told({ fault: cause instanceof Error ? cause.message : String(cause) })
  }
}
