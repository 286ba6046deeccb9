import { nanosOf } from '#src/core/spend/prices.ts'
import { shortened } from '#src/core/text/fence.ts'
import type { Settings } from '#src/core/settings.ts'
import type { TurnUsage } from '#src/ports/model.ts'
import type { Choice } from '../runtimes/prompt/choose-model.ts'

/** `provider/model`, as runs and sums name it. */
export function modelName({ name: { provider, model } }: Pick<Choice, 'name'>): string {
  return `${provider}/${model}`
}

/** The same as others are shown it, without secrets. */
export function shownModel(choice: Pick<Choice, 'name'>, scrub: (text: string) => string): string {
  return shortened(scrub(modelName(choice)), 200)
}

/** What a call of a model cost, in nanos; undefined if that is unknown. */
export function costOfCall(
  { modelPrices }: Pick<Settings, 'modelPrices'>,
  choice: Choice,
  usage: TurnUsage,
): number | undefined {
  // What answers at an address that an agent names has prices of its own.
  const isElsewhere = choice.name.provider !== 'anthropic' && choice.own['OPENAI_BASE_URL']
  return isElsewhere ? undefined : nanosOf(modelPrices.get(modelName(choice)), usage)
}
