import { openModels } from '#adapters/model/models.ts'
import { openToolServers } from '#adapters/model/tool-servers.ts'
import { openSender } from '#adapters/sender/fetch.ts'
import type { Models } from '#src/ports/model.ts'
import type { ToolServers } from '#src/ports/tool-server.ts'

export interface ModelsSetUp {
  /** `provider/model` of agents that name none. */
  defaultModel?: { provider: string; model: string }
  /** Of the operator, for knowledge. */
  embeddingModel?: { provider: string; model: string }
  openai?: { apiKey?: string; baseUrl?: string }
  anthropic?: { apiKey?: string; baseUrl?: string }
  /** Origins that agents may reach although they are private. */
  allow?: string[]
}

const nowhere = 'https://api.openai.com/v1'

/** The real models on the real guarded fetch, for an operator who has set this. */
export function modelsOf({
  defaultModel,
  embeddingModel,
  openai,
  anthropic,
  allow = [],
}: ModelsSetUp = {}): Models {
  const baseUrls = [openai?.baseUrl, anthropic?.baseUrl].filter((url) => url !== undefined)
  const origins = baseUrls.map((url) => new URL(url).origin)
  const baseUrl = anthropic?.baseUrl
  return openModels({
    defaultModel,
    embeddingModel,
    openai: { apiKey: openai?.apiKey, baseUrl: openai?.baseUrl ?? nowhere },
    anthropic: { apiKey: anthropic?.apiKey, ...(baseUrl !== undefined && { baseUrl }) },
    operator: openSender({ allow: [...allow, ...origins], userAgent: 'abode-tests' }),
    guarded: openSender({ allow, userAgent: 'abode-tests' }),
  })
}

/** The real client of tool servers. @param timeoutMs for one request */
export function toolServersOf(allow: string[] = [], timeoutMs?: number): ToolServers {
  return openToolServers({
    guarded: openSender({ allow, userAgent: 'abode-tests' }),
    version: '0.0.0',
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}
