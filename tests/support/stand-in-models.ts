import { isMap } from '#src/core/maps.ts'
import { ModelFailure, type Conversation, type Models, type Opening } from '#src/ports/model.ts'
import { modelsOf } from './models.ts'

const provider = 'stand-in'

/** The brain of an agent whose model acts as its name says. */
export function brainThat(acts: 'writes' | 'babbles' | 'is-away' | 'declines'): object {
  return { llm_provider: provider, llm_model: acts }
}

/**
 * Models of which only a provider of the tests is configured, so that runs of agents that name none
 * wait to be leased.
 */
export function standInModels(): Models {
  const models = modelsOf()
  return {
    ...models,
    isConfigured: (name, own) => name === provider || models.isConfigured(name, own),
    open: async ({ model }, _own, opening) => conversation(model, opening),
  }
}

function conversation(acts: string, { schema }: Opening): Conversation {
  return {
    async turn() {
      if (acts === 'is-away') throw new ModelFailure('rate_limited', 'no', { retryAfterMs: 7000 })
      const text = acts === 'babbles' ? 'Well …' : JSON.stringify(valueOf(schema))
      const finish = acts === 'declines' ? 'refused' : 'stop'
      return { text, calls: [], finish, usage: { input_tokens: 1, output_tokens: 1 } }
    },
  }
}

/** A value of the JSON Schema. */
function valueOf(schema: unknown): unknown {
  if (!isMap(schema)) return null
  const { type, properties, items } = schema
  if (type === 'array') return [valueOf(items)]
  if (!isMap(properties)) return 'Words of the stand-in'
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueOf(one)]))
}
