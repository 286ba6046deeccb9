import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { withCall } from '#src/core/spend/usage.ts'
import type { TurnUsage } from '#src/ports/model.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import type { Choice } from '../runtimes/prompt/choose-model.ts'
import type { StoredRun } from '../run.ts'
import { costOfCall } from './cost.ts'
import { budgetUsedUp } from './hold.ts'
import { sumsOf, type Figures, type Spender, type SpendSum } from './sum.ts'

type Needed = Pick<Ports, 'store' | 'clock' | 'settings'>

/** A call of a model that was made. */
export interface Call {
  choice: Choice
  /** Its name as it is shown, without secrets. */
  model: string
  usage: TurnUsage
}

/**
 * Counts a call in the sums of its account, and in the run that made it, in one commit.
 * @returns its cost in nanos; undefined if that is unknown
 */
export async function recordCall(ports: Needed, run: StoredRun, call: Call) {
  const nanos = costOfCall(ports.settings, call.choice, call.usage)
  // Who ends the run has this object too.
  run.usage = withCall(run.usage, call.usage, nanos)
  const { id, owner_id, claim } = run
  const held = { id, owner_id, ...(claim && { 'claim.token': claim.token }) }
  const counted: Write = { in: 'runs', update: held, change: { $set: { usage: run.usage } } }
  // If the claim is lost, the call was made all the same.
  if (!(await summed(ports, run, call, nanos, [counted]))) await summed(ports, run, call, nanos, [])
  // Its owner is told of a budget that this has used up.
  await budgetUsedUp(ports, run)
  return nanos
}

/** Counts a call that no run has made. */
export async function recordCallOf(ports: Needed, spender: Spender, call: Call): Promise<void> {
  await summed(ports, spender, call, costOfCall(ports.settings, call.choice, call.usage), [])
  await budgetUsedUp(ports, spender)
}

/** @returns whether what is counted besides was still as it was read */
function summed(
  { store, clock }: Needed,
  spender: Spender,
  { model, usage }: Call,
  nanos: number | undefined,
  besides: readonly Write[],
): Promise<boolean> {
  const sums = sumsOf(spender, model, clock.now())
  const ids = sums.map(({ id }) => id)
  const figures = figuresOf(usage, nanos)
  return retryUnmet(async () => {
    const there = new Set((await store.spend_sums.pick(['id'], { id: { $in: ids } })).flat())
    const writes = sums.map((sum): Write => {
      if (!there.has(sum.id)) return { in: 'spend_sums', insert: { ...sum, ...figures } }
      return { in: 'spend_sums', update: { id: sum.id }, change: { $inc: figures } }
    })
    try {
      await store.commit([...besides, ...writes])
      return true
    } catch (cause) {
      if (cause instanceof Unmet && cause.index < besides.length) return false
      throw cause
    }
  })
}

function figuresOf(usage: TurnUsage, nanos: number | undefined): Figures {
  return {
    calls: 1,
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.cached_input_tokens ?? 0,
    output_tokens: usage.output_tokens,
    cost_nanos: nanos ?? 0,
    unpriced_calls: nanos === undefined ? 1 : 0,
  }
}

/** The figures of several sums together. */
export function added(sums: readonly Figures[]): Figures {
  const total = { ...noFigures }
  for (const sum of sums) {
    for (const name of figureNames) total[name] += sum[name]
  }
  return total
}

const noFigures: Figures = {
  calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  cost_nanos: 0,
  unpriced_calls: 0,
}

/** The names of what a sum holds. */
export const figureNames = Object.keys(noFigures) as (keyof Figures & keyof SpendSum)[]
