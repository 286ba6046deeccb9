import type { Conversation, Embeddings, ModelName, Models, OwnAccess } from '#src/ports/model.ts'
import type { Streamer } from '#src/ports/sender.ts'
import type { Line } from './conversation.ts'
import { embeddingsBy, type EmbeddingLine } from './embeddings.ts'
import { fetchOver } from './fetch.ts'

/** What the operator has set, and the ways out. */
export interface ModelsOptions {
  defaultModel: ModelName | undefined
  embeddingModel?: ModelName | undefined
  openai: { apiKey: string | undefined; baseUrl: string }
  anthropic: { apiKey: string | undefined; baseUrl?: string }
  /** The way out to addresses that the operator has named, wherever they lead. */
  operator: Streamer & { close(): Promise<void> }
  /** The way out to addresses that agents bring. */
  guarded: Streamer
}

/** How a provider is reached. */
interface Access {
  dialect: 'openai' | 'anthropic'
  baseUrl: string
  apiKey: string | undefined
  way: Streamer
}

/** Where OpenAI itself is; an operator who names another place may need no key there. */
export const openaiBaseUrl = 'https://api.openai.com/v1'
const anthropicBaseUrl = 'https://api.anthropic.com/v1'
/** The step limit of the task ends a turn before this. */
const longestTurnMs = 3_600_000
const longestEmbeddingMs = 60_000

/** The models of the `ai` library, which is loaded with the first conversation. */
export function openModels(options: ModelsOptions): Models {
  return {
    defaultModel: options.defaultModel,
    embeddings: embeddingsOf(options),
    isConfigured: (provider, own) => accessTo(provider, own, options) !== undefined,
    async open(name, own, opening): Promise<Conversation> {
      const access = accessTo(name.provider, own, options)
      if (!access) throw new Error(`the provider ${name.provider} is not configured`)
      const { converse } = await import('./conversation.ts')
      return converse(await lineTo(name, access), opening)
    },
    close: () => options.operator.close(),
  }
}

function accessTo(provider: string, own: OwnAccess, options: ModelsOptions): Access | undefined {
  if (provider === 'anthropic') {
    const { baseUrl = anthropicBaseUrl, apiKey: set } = options.anthropic
    const apiKey = own['ANTHROPIC_API_KEY'] ?? set
    return apiKey ? { dialect: 'anthropic', baseUrl, apiKey, way: options.operator } : undefined
  }
  if (provider !== 'openai' && provider !== 'openai-compatible') return undefined
  const ownBaseUrl = own['OPENAI_BASE_URL']
  const ownKey = own['OPENAI_API_KEY']
  const needsKey = provider === 'openai'
  if (ownBaseUrl) {
    // The operator's key never goes to an address that an agent has chosen.
    if (needsKey && !ownKey) return undefined
    return { dialect: 'openai', baseUrl: ownBaseUrl, apiKey: ownKey, way: options.guarded }
  }
  const { baseUrl, apiKey: set } = options.openai
  const apiKey = ownKey ?? set
  if (!apiKey && (needsKey || baseUrl === openaiBaseUrl)) return undefined
  return { dialect: 'openai', baseUrl, apiKey, way: options.operator }
}

/** By the operator's own access alone: what every agent knows is compared by one model. */
function embeddingsOf(options: ModelsOptions): Embeddings | undefined {
  const { embeddingModel: name } = options
  const access = name && accessTo(name.provider, {}, options)
  if (!name || access?.dialect !== 'openai') return undefined
  const { baseUrl, apiKey, way } = access
  const line = async (): Promise<EmbeddingLine> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const fetch = fetchOver(way, { timeoutMs: longestEmbeddingMs, redirects: 0 })
    const settings = { name: name.provider, baseURL: baseUrl, fetch }
    const create = createOpenAICompatible({ ...settings, ...(apiKey !== undefined && { apiKey }) })
    return { model: create.embeddingModel(name.model), secret: apiKey }
  }
  return embeddingsBy(`${name.provider}/${name.model}`, line)
}

async function lineTo(name: ModelName, access: Access): Promise<Line> {
  const ai = await import('ai')
  // It would print them as warnings of the process; what a model cannot do, its provider says.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const model = await modelOf(name, access)
  return { ai, model, secret: access.apiKey }
}

async function modelOf(
  { provider, model }: ModelName,
  { dialect, baseUrl, apiKey, way }: Access,
): Promise<Line['model']> {
  const fetch = fetchOver(way, { timeoutMs: longestTurnMs, redirects: 0 })
  if (dialect === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // Nothing is left to the library's own look into the environment.
    return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? '', fetch })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const create = createOpenAICompatible({
    name: provider,
    baseURL: baseUrl,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(provider === 'openai' && { transformRequestBody: asOpenai }),
  })
  return create.chatModel(model)
}

// Models that think before they answer take no temperature.
const thinking = /^(?:o\d|gpt-5(?!-chat))/

/** OpenAI itself has moved on from what the others still speak. */
function asOpenai(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, temperature, ...rest } = body
  const takesTemperature = !thinking.test(String(body['model']))
  return {
    ...rest,
    ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }),
    ...(takesTemperature && temperature !== undefined && { temperature }),
  }
}
