import type { CompleteResult } from '@modelcontextprotocol/server'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from './exchange.ts'
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

  constructor(catalog: readonly Operation[]) {
    this.#catalog = catalog
  }

  /** What is not known, or takes any value, has no completions. */
  async complete(
    { ref, argument: { name, value } }: CompletionRequest,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<CompleteResult> {
    switch (`${ref.uri ?? ref.name} ${name}`) {
      case `${operationTemplate} name`:
        return matching(
          this.#catalog.map((op) => op.name),
          value,
        )
      case `${characterTemplate} char_id`:
      case 'be_the_brain char_id':
        return matching(await this.#characterIds(exchange, signal), value)
      case 'provision_team goal':
        return matching(goals, value)
      default:
        return matching([], value)
    }
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
