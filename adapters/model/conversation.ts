import type * as Ai from 'ai'
import type {
  Conversation,
  Opening,
  ToolAnswer,
  ToolCall,
  Turn,
  TurnTerms,
} from '#src/ports/model.ts'
import { effectHeaders } from '#src/ports/sender.ts'
import { cutOff, failureOf } from './faults.ts'

/** What a conversation is carried out with. */
export interface Line {
  ai: typeof Ai
  model: Exclude<Ai.LanguageModel, string>
  /** The key that is sent; no error may quote it. */
  secret: string | undefined
}

/** A conversation that keeps the library's messages, including anything a provider wants to see again. */
export function converse(line: Line, opening: Opening): Conversation {
  const messages: Ai.ModelMessage[] = [{ role: 'user', content: opening.prompt }]
  const tools = toolsOf(line.ai, opening)
  return {
    async turn(terms) {
      const asked = [...messages, ...answered(terms.answers), ...saidTo(terms.said)]
      const leaving = new AbortController()
      const signal = AbortSignal.any([terms.signal, leaving.signal])
      // An error of the listener is not the provider's, and ends the request too.
      const onText = (piece: string): Promise<void> =>
        terms.onText(piece).catch((cause: unknown) => leaving.abort(cause))
      try {
        const { turn, said } = await oneTurn(line, opening, tools, asked, {
          ...terms,
          signal,
          onText,
        })
        messages.splice(0, messages.length, ...asked, ...said)
        return turn
      } catch (cause) {
        signal.throwIfAborted()
        throw failureOf(line.ai, cause, line.secret)
      }
    },
  }
}

function toolsOf(ai: typeof Ai, { tools }: Opening): Ai.ToolSet {
  const offered = tools.map(({ name, description, parameters }) => {
    // The tool validates its arguments itself; the library calls nothing.
    return [name, ai.tool({ description, inputSchema: ai.jsonSchema(parameters) })] as const
  })
  return Object.fromEntries(offered)
}

function answered(answers: readonly ToolAnswer[]): Ai.ModelMessage[] {
  if (answers.length === 0) return []
  const content = answers.map(({ call, text, isError }) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
  }))
  return [{ role: 'tool', content }]
}

function saidTo(said: string | undefined): Ai.ModelMessage[] {
  return said === undefined ? [] : [{ role: 'user', content: said }]
}

async function oneTurn(
  { ai, model }: Line,
  { system, temperature, maxTokens, schema }: Opening,
  tools: Ai.ToolSet,
  messages: Ai.ModelMessage[],
  { signal, mark, onText }: TurnTerms,
): Promise<{ turn: Turn; said: Ai.ModelMessage[] }> {
  const result = ai.streamText({
    model,
    instructions: system,
    messages,
    tools,
    stopWhen: ai.isStepCount(1),
    // The run does retries and their pauses.
    maxRetries: 0,
    abortSignal: signal,
    ...(mark && { headers: effectHeaders(mark) }),
    // By default errors are also printed; all of them arrive in the stream.
    onError: () => undefined,
    ...(schema && { output: heldTo(ai, schema) }),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxOutputTokens: maxTokens }),
  })
  let text = ''
  const calls: ToolCall[] = []
  let end: Pick<Turn, 'finish' | 'usage'> | undefined
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') {
      text += part.text
      await onText(part.text)
      // Parts that were read ahead are not wanted any more either.
      signal.throwIfAborted()
    } else if (part.type === 'tool-call') {
      calls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
    } else if (part.type === 'finish-step') {
      // An end without a reason means that the answer broke off.
      if (part.rawFinishReason === undefined) throw cutOff()
      end = { finish: finishOf(part.finishReason, calls.length > 0), usage: usageOf(part.usage) }
    } else if (part.type === 'error') throw part.error
    else if (part.type === 'abort') break
  }
  signal.throwIfAborted()
  if (!end) throw cutOff()
  const { messages: all } = await result.response
  // The library answers calls of unknown tools itself; only the run's answers count.
  const said = all.filter((message) => message.role === 'assistant')
  return { turn: { text, calls, ...end }, said }
}

/**
 * By default the library parses the whole text again with every piece, and keeps each of these values:
 * a long answer would take gigabytes. An ever-changing number passes the pieces through one by one.
 */
function heldTo(ai: typeof Ai, schema: Record<string, unknown>) {
  let pieces = 0
  const parsePartialOutput = () => Promise.resolve({ partial: ++pieces })
  return { ...ai.Output.object({ schema: ai.jsonSchema(schema) }), parsePartialOutput }
}

function finishOf(reason: Ai.FinishReason, hasCalls: boolean): Turn['finish'] {
  switch (reason) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'refused'
    default:
      // Some providers say "stop" although they wait for answers.
      return hasCalls ? 'calls' : 'stop'
  }
}

function usageOf(usage: Ai.LanguageModelUsage): Turn['usage'] {
  const { inputTokens, outputTokens, inputTokenDetails } = usage
  const cached_input_tokens = inputTokenDetails.cacheReadTokens ?? 0
  return {
    input_tokens: inputTokens ?? 0,
    output_tokens: outputTokens ?? 0,
    ...(cached_input_tokens > 0 && { cached_input_tokens }),
    ...((inputTokens === undefined || outputTokens === undefined) && { unreported: true }),
  }
}
