import type { Conversation, Embeddings, ModelName, Models, OwnAccess } from '#src/ports/model.ts'
import type { Streamer } from '#src/ports/sender.ts'
import type { Line } from './conversation.ts'
import { embeddingsBy, type EmbeddingLine } from './embeddings.ts'
import { fetchOver } from './fetch.ts'

/** The operator's settings, and the clients for outgoing requests. */
export interface ModelsOptions {
  defaultModel: ModelName | undefined
  embeddingModel?: ModelName | undefined
  openai: { apiKey: string | undefined; baseUrl: string }
  anthropic: { apiKey: string | undefined; baseUrl?: string }
  /** The client for addresses that the operator has named, wherever they lead. */
  operator: Streamer & { close(): Promise<void> }
  /** The client for addresses from agents. */
  guarded: Streamer
}

/** How a provider is reached. */
interface Access {
  dialect: 'openai' | 'anthropic'
  baseUrl: string
  apiKey: string | undefined
  way: Streamer
}

/** OpenAI's own address; other addresses that the operator sets may need no key. */
export const openaiBaseUrl = 'https://api.openai.com/v1'
const anthropicBaseUrl = 'https://api.anthropic.com/v1'
/** The task's step limit ends a turn before this. */
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

/** Only by the operator's own access: the knowledge of all agents is compared by one model. */
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
  // The library would print them as process warnings; a provider reports itself what a model cannot do.
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
    // The library must not look into the environment itself.
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

// Reasoning models take no temperature.
const thinking = /^(?:o\d|gpt-5(?!-chat))/

/** OpenAI's own API differs by now from the dialect that the others still speak. */
function asOpenai(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, temperature, ...rest } = body
  const takesTemperature = !thinking.test(String(body['model']))
  return {
    ...rest,
    ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }),
    ...(takesTemperature && temperature !== undefined && { temperature }),
  }
}
