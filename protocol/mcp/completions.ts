import { ProtocolError, ProtocolErrorCode, type CompleteResult } from '@modelcontextprotocol/server'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from './exchange.ts'
import type { Prompt } from './prompts.ts'
import { characterTemplate, operationTemplate } from './resources.ts'

export interface CompletionRequest {
  ref: { type: string; name?: string | undefined; uri?: string | undefined }
  argument: { name: string; value: string }
}

const valuesAtMost = 100

const goals = [
  'answer customers of an online shop, and hand the hard cases to a person',
  'follow a field of research, and write a newsletter every week',
  'review changes to a code base for bugs, style and security',
]

/** Proposes values for the arguments of prompts and the variables of resource templates. */
export class Completer {
  readonly #catalog: readonly Operation[]
  readonly #prompts: readonly Prompt[]

  constructor(catalog: readonly Operation[], prompts: readonly Prompt[]) {
    this.#catalog = catalog
    this.#prompts = prompts
  }

  /** @throws ProtocolError for a prompt or a template that does not exist */
  async complete(
    { ref, argument }: CompletionRequest,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<CompleteResult> {
    const { name, value } = argument
    if (ref.type === 'ref/prompt') {
      if (!this.#prompts.some(({ entry }) => entry.name === ref.name)) throw unknown(ref.name)
      if (ref.name === 'provision_team' && name === 'goal') return matching(goals, value)
      if (ref.name === 'be_the_brain' && name === 'char_id') {
        return matching(await this.#characterIds(exchange, signal), value)
      }
      return matching([], value)
    }
    if (ref.uri === operationTemplate) {
      const names = name === 'name' ? this.#catalog.map((op) => op.name) : []
      return matching(names, value)
    }
    if (ref.uri !== characterTemplate) throw unknown(ref.uri)
    return matching(name === 'char_id' ? await this.#characterIds(exchange, signal) : [], value)
  }

  /** The caller's first agents; none without a key. */
  async #characterIds(exchange: Exchange, signal: AbortSignal): Promise<string[]> {
    const list = this.#catalog.find((op) => op.name === 'characters.list')
    if (!list || exchange.credential === undefined) return []
    const outcome = await exchange.serve(list, {}, undefined, signal)
    if (outcome.refusal) return []
    // The answer of a list of our own.
    const page = JSON.parse(outcome.answer.text) as { items: { id: string }[] }
    return page.items.map(({ id }) => id)
  }
}

/** What begins as typed comes first, then what holds it somewhere. */
function matching(values: readonly string[], typed: string): CompleteResult {
  const sought = typed.toLowerCase()
  const begins = values.filter((value) => value.toLowerCase().startsWith(sought))
  const holds = values.filter((value) => value.toLowerCase().includes(sought))
  const found = [...new Set([...begins, ...holds])]
  return {
    completion: {
      values: found.slice(0, valuesAtMost),
      total: found.length,
      hasMore: found.length > valuesAtMost,
    },
  }
}

function unknown(what: string | undefined): ProtocolError {
  const message = `There is nothing to complete for "${(what ?? '').slice(0, 200)}".`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
