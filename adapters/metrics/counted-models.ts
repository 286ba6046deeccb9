import { nanosOf, type ModelPrices } from '#src/core/spend/prices.ts'
import { ModelFailure, type ModelName, type Models, type OwnAccess } from '#src/ports/model.ts'
import type { Metrics } from './counted.ts'
import { noMetrics } from './metrics.ts'

/** The models with their turns counted; the same ones where nothing is counted. */
export function countedModels(models: Models, prices: ModelPrices, metrics: Metrics): Models {
  if (metrics === noMetrics) return models
  return {
    ...models,
    async open(name, own, opening) {
      const conversation = await models.open(name, own, opening)
      const { provider } = name
      return {
        async turn(terms) {
          const begun = performance.now()
          const seconds = (): number => (performance.now() - begun) / 1000
          try {
            const turn = await conversation.turn(terms)
            const nanos = nanosOf(priceOf(name, own, prices), turn.usage)
            const { usage } = turn
            metrics.modelTurn({ provider, outcome: 'ok', seconds: seconds(), usage, nanos })
            return turn
          } catch (cause) {
            const outcome = outcomeOf(cause, terms.signal)
            const nothing = { usage: undefined, nanos: undefined }
            metrics.modelTurn({ provider, outcome, seconds: seconds(), ...nothing })
            throw cause
          }
        },
      }
    },
  }
}

/** What answers at an address that an agent names has prices of its own. */
function priceOf({ provider, model }: ModelName, own: OwnAccess, prices: ModelPrices) {
  const isElsewhere = provider !== 'anthropic' && own['OPENAI_BASE_URL']
  return isElsewhere ? undefined : prices.get(`${provider}/${model}`)
}

function outcomeOf(cause: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'stopped'
  return cause instanceof ModelFailure ? cause.fault : 'failed'
}
