import { ModelFailure, type Models } from '#src/ports/model.ts'
import type { OpenedTraces } from './opened.ts'

/** The models with a step for each turn, in the words that OpenTelemetry has for them. */
export function tracedModels(models: Models, traces: OpenedTraces): Models {
  if (!traces.isOn) return models
  return {
    ...models,
    async open(name, own, opening) {
      const conversation = await models.open(name, own, opening)
      const facts = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': name.provider,
        'gen_ai.request.model': name.model.slice(0, 200),
        'gen_ai.request.temperature': opening.temperature ?? undefined,
        'gen_ai.request.max_tokens': opening.maxTokens ?? undefined,
      }
      return {
        turn: (terms) =>
          traces.step({ name: 'chat', kind: 'client', facts }, async (tell) => {
            try {
              const turn = await conversation.turn(terms)
              const { input_tokens, output_tokens, cached_input_tokens } = turn.usage
              tell({
                'gen_ai.usage.input_tokens': input_tokens,
                'gen_ai.usage.output_tokens': output_tokens,
                'gen_ai.usage.cache_read.input_tokens': cached_input_tokens,
                'gen_ai.response.finish_reasons': turn.finish,
              })
              return turn
            } catch (cause) {
              if (cause instanceof ModelFailure) tell({ 'abode.fault': cause.fault })
              throw cause
            }
          }),
      }
    },
  }
}
