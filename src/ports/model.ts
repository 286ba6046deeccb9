import type { EffectMark } from './sender.ts'

/** A model, by the names of its provider (openai, openai-compatible, anthropic) and its own. */
export interface ModelName {
  provider: string
  model: string
}

/**
 * An agent's own access to a provider, by the names of the operator's settings: `OPENAI_API_KEY`,
 * `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`. Other names are ignored.
 */
export type OwnAccess = Readonly<Record<string, string>>

/** The names that `OwnAccess` may have. */
export const accessNames = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY'] as const

/** Where the keys among them belong, as origins. */
export const keyOrigins: Readonly<Partial<Record<string, string>>> = {
  OPENAI_API_KEY: 'https://api.openai.com',
  ANTHROPIC_API_KEY: 'https://api.anthropic.com',
}

/** Those of them that say where requests are sent. */
export const addressNames = ['OPENAI_BASE_URL'] as const

/** The supported providers, each of which needs to be configured. */
export const modelProviders = ['openai', 'openai-compatible', 'anthropic'] as const

/** A tool as it is described to a model. */
export interface ToolOffer {
  /** Letters, digits, `_` and `-`, at most 64. */
  name: string
  description: string
  /** The JSON Schema of its arguments, an object. */
  parameters: Record<string, unknown>
}

/** A tool call that a model asks for. */
export interface ToolCall {
  id: string
  name: string
  /** JSON; the model's text if it was not JSON. */
  input: unknown
}

/** The result of a call, for the model's next turn. */
export interface ToolAnswer {
  call: ToolCall
  text: string
  isError: boolean
}

/** Tokens of one turn. */
export type TurnUsage = {
  input_tokens: number
  output_tokens: number
  /** Of the input, what the provider had read before. */
  cached_input_tokens?: number
  /** The provider did not say how many. */
  unreported?: true
}

/** What a model said before it waits for answers, or ends. */
export interface Turn {
  text: string
  calls: ToolCall[]
  /** `length`: cut at `maxTokens`. `refused`: the provider or the model declined. */
  finish: 'stop' | 'calls' | 'length' | 'refused'
  usage: TurnUsage
}

/** The start of a conversation, and what applies to all of it. */
export interface Opening {
  system: string
  prompt: string
  tools: readonly ToolOffer[]
  /** Null: the provider's default. */
  temperature: number | null
  /** Most tokens of one turn; null: the provider's default. */
  maxTokens: number | null
  /**
   * The text of a turn is to be JSON of this JSON Schema, an object whose members are all required. Providers
   * enforce it only as well as they can, so the text has to be checked.
   */
  schema?: Record<string, unknown>
}

/** The input of one turn. */
export interface TurnTerms {
  /** Answers to all calls of the turn before; none for the first turn. */
  answers: readonly ToolAnswer[]
  /** What is said to the model besides. */
  said?: string | undefined
  signal: AbortSignal
  /** Where it may be asked for again after its process was lost. */
  mark?: EffectMark | undefined
  /** Called with each piece of text as it comes, and awaited. */
  onText: (piece: string) => Promise<void>
}

/** A conversation with one model. It keeps its history; a failed turn does not enter it. */
export interface Conversation {
  /** @throws ModelFailure, or anything once the signal is aborted */
  turn(terms: TurnTerms): Promise<Turn>
}

/** Why a model gave no turn. */
export type ModelFault =
  /** The key is not accepted. */
  | 'unauthorized'
  | 'rate_limited'
  /** It is unreachable or overloaded, or its answer was cut off. */
  | 'unavailable'
  /** It does not accept this request; the message quotes it. */
  | 'rejected'
  /** Its answer cannot be read. */
  | 'unreadable'

/** A provider gave no turn. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly fault: ModelFault
  /** When it may be asked again, in milliseconds from now, if it says so. */
  readonly retryAfterMs: number | undefined

  constructor(
    fault: ModelFault,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options)
    this.fault = fault
    this.retryAfterMs = options.retryAfterMs
  }

  /** Whether the same request may succeed a moment later. */
  get isTransient(): boolean {
    return this.fault === 'rate_limited' || this.fault === 'unavailable'
  }
}

/** Turns texts into vectors that can be compared by meaning. */
export interface Embeddings {
  /** `provider/model`: vectors of different models cannot be compared. */
  readonly model: string
  /**
   * A vector for each text, in their order, all of one length.
   * @throws ModelFailure, or anything once the signal is aborted
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

/** The models that runs may use. */
export interface Models {
  /** The model of agents that name none; undefined if the operator has set none. */
  readonly defaultModel: ModelName | undefined
  /** Whether a provider is configured: by the operator, or by the agent's own access. */
  isConfigured(provider: string, own: OwnAccess): boolean
  /** Undefined if the operator has chosen no model for it, or not configured its provider. */
  readonly embeddings: Embeddings | undefined
  /** Begins a conversation; nothing is sent before its first turn. @throws Error when the provider is not configured */
  open(name: ModelName, own: OwnAccess, opening: Opening): Promise<Conversation>
  close(): Promise<void>
}
