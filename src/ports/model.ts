/** A model by the name of its provider (openai, openai-compatible, anthropic) and its own. */
export interface ModelName {
  provider: string
  model: string
}

/**
 * What an agent brings of its own to reach a provider, by the names of the operator's settings:
 * `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`. Other names mean nothing here.
 */
export type OwnAccess = Readonly<Record<string, string>>

/** The names that `OwnAccess` may hold. */
export const accessNames = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY'] as const

/** Those of them that say where the others are sent. */
export const addressNames = ['OPENAI_BASE_URL'] as const

/** The providers that can be asked at all, where somebody has configured them. */
export const modelProviders = ['openai', 'openai-compatible', 'anthropic'] as const

/** A tool as a model is told of it. */
export interface ToolOffer {
  /** Letters, digits, `_` and `-`, at most 64. */
  name: string
  description: string
  /** The JSON Schema of its arguments, an object. */
  parameters: Record<string, unknown>
}

/** A tool that a model wants to be called. */
export interface ToolCall {
  id: string
  name: string
  /** JSON; what the model sent as text where it was no JSON. */
  input: unknown
}

/** What came of a call, for the model's next turn. */
export interface ToolAnswer {
  call: ToolCall
  text: string
  isError: boolean
}

/** Tokens of one turn. */
export type TurnUsage = { input_tokens: number; output_tokens: number }

/** What a model said before it waits for answers, or ends. */
export interface Turn {
  text: string
  calls: ToolCall[]
  /** `length`: cut at `maxTokens`. `refused`: the provider or the model would not. */
  finish: 'stop' | 'calls' | 'length' | 'refused'
  usage: TurnUsage
}

/** What a conversation begins with, and what holds for all of it. */
export interface Opening {
  system: string
  prompt: string
  tools: readonly ToolOffer[]
  /** Null: as the provider has it. */
  temperature: number | null
  /** Tokens of one turn at most; null: as the provider has it. */
  maxTokens: number | null
  /**
   * The text of a turn is to be JSON of this JSON Schema, an object whose members are all required:
   * providers hold their models to it as well as they can, so that the text has to be checked.
   */
  schema?: Record<string, unknown>
}

/** What one turn needs. */
export interface TurnTerms {
  /** To every call of the turn before; none for the first turn. */
  answers: readonly ToolAnswer[]
  signal: AbortSignal
  /** Called with each piece of text as it comes, and waited for. */
  onText: (piece: string) => Promise<void>
}

/** A conversation with one model. It remembers what was said; a turn that failed was not said. */
export interface Conversation {
  /** @throws ModelFailure, or anything once the signal is aborted */
  turn(terms: TurnTerms): Promise<Turn>
}

/** Why a model gave no turn. */
export type ModelFault =
  /** The key is not accepted. */
  | 'unauthorized'
  | 'rate_limited'
  /** It is away, overloaded, or its answer was cut off. */
  | 'unavailable'
  /** It will not take this request; the message has its words. */
  | 'rejected'
  /** What it answered cannot be read. */
  | 'unreadable'

/** A provider gave no turn. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly fault: ModelFault
  /** When it may be asked again, in milliseconds from now, where it says so. */
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

/** Makes texts comparable by what they mean. */
export interface Embeddings {
  /** `provider/model`: vectors of different ones say nothing of each other. */
  readonly model: string
  /**
   * A vector for each text, in their order, all of one length.
   * @throws ModelFailure, or anything once the signal is aborted
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

/** The models that runs may talk to. */
export interface Models {
  /** The model of agents that name none; undefined when the operator has set none. */
  readonly defaultModel: ModelName | undefined
  /** Whether a provider is configured: by the operator, or by what an agent brings. */
  isConfigured(provider: string, own: OwnAccess): boolean
  /** Undefined where the operator has chosen no model for it, or not configured its provider. */
  readonly embeddings: Embeddings | undefined
  /** Begins a conversation; nothing is sent before its first turn. @throws Error when the provider is not configured */
  open(name: ModelName, own: OwnAccess, opening: Opening): Promise<Conversation>
  close(): Promise<void>
}
