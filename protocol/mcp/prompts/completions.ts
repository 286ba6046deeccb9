import type { CompleteResult } from '@modelcontextprotocol/server'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from '../exchange.ts'
import type { PublishedDocument } from './guidance.ts'
import type { Prompt } from './prompt.ts'
import {
  guideTemplate,
  matched,
  operationTemplate,
  templatesOf,
  variablesOf,
} from '../templates.ts'

export interface CompletionRequest {
  ref: { type: string; name?: string | undefined; uri?: string | undefined }
  argument: { name: string; value: string }
  /** The values already chosen for the other arguments. */
  context?: { arguments?: Readonly<Record<string, string>> | undefined } | undefined
}

const valuesAtMost = 100

const goals = [
  'answer customers of an online shop, and hand the hard cases to a person',
  'follow a field of research, and write a newsletter every week',
  'review changes to a code base for bugs, style and security',
]

export interface Completed {
  catalog: readonly Operation[]
  prompts: readonly Prompt[]
  documents: readonly PublishedDocument[]
}

/** Proposes values for the arguments of prompts and the variables of resource templates. */
export class Completer {
  readonly #catalog: readonly Operation[]
  /** The argument names of a reference: of a prompt by its name, of a template by its URI. */
  readonly #names: ReadonlyMap<string, readonly string[]>
  readonly #guides: readonly string[]

  constructor({ catalog, prompts, documents }: Completed) {
    this.#catalog = catalog
    this.#guides = documents.flatMap(({ uri }) => matched(guideTemplate, uri)?.['guide'] ?? [])
    const templates = [operationTemplate, guideTemplate, ...templatesOf(catalog).map(addressOf)]
    this.#names = new Map([
      ...templates.map((uri) => [uri, variablesOf(uri)] as const),
      ...prompts.map(({ entry }) => [entry.name, entry.arguments.map(({ name }) => name)] as const),
    ])
  }

  /** An unknown argument, or one that takes any value, has no completions. */
  async complete(
    { ref, argument: { name, value }, context }: CompletionRequest,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<CompleteResult> {
    const known = this.#names.get(ref.uri ?? ref.name ?? '')
    if (!known?.includes(name)) return matching([], value)
    if (name === 'goal') return matching(goals, value)
    if (name === 'guide') return matching(this.#guides, value)
    if (name === 'name') {
      return matching(
        this.#catalog.map((op) => op.name),
        value,
      )
    }
    const { values, hasMore } = await this.#own(name, context?.arguments ?? {}, exchange, signal)
    return matching(values, value, hasMore)
  }

  /** The first values that the caller may see; none without a valid key. */
  async #own(
    name: string,
    chosen: Readonly<Record<string, string>>,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<{ values: string[]; hasMore: boolean }> {
    const nothing = { values: [], hasMore: false }
    const list = this.#catalog.find(({ proposes }) => proposes?.member === name)
    if (!list?.proposes || (list.auth !== 'none' && !exchange.credential)) return nothing
    const { from, limit, narrowedBy } = list.proposes
    const by = narrowedBy && chosen[narrowedBy]
    // Without the path parameter there is nothing to list.
    if (narrowedBy && !by && list.http.path.includes(`{${narrowedBy}}`)) return nothing
    const input = { ...(limit && { limit }), ...(narrowedBy && by && { [narrowedBy]: by }) }
    const outcome = await exchange.serve(list, input, undefined, signal)
    if (outcome.refusal) return nothing
    // The answer comes from one of our own list operations.
    const page = JSON.parse(outcome.answer.text) as ListPage
    const values = page.items.flatMap(({ [from]: id }) => (typeof id === 'string' ? [id] : []))
    return { values, hasMore: typeof page.next_cursor === 'string' }
  }
}

interface ListPage {
  items: Record<string, unknown>[]
  next_cursor?: string | null
}

function addressOf({ uriTemplate }: { uriTemplate: string }): string {
  return uriTemplate
}

/** Values that begin with the typed text come first, then those that contain it. */
function matching(values: readonly string[], typed: string, isPart = false): CompleteResult {
  const sought = typed.toLowerCase()
  const begins = values.filter((value) => value.toLowerCase().startsWith(sought))
  const holds = values.filter((value) => value.toLowerCase().includes(sought))
  const found = [...new Set([...begins, ...holds])]
  return {
    completion: {
      values: found.slice(0, valuesAtMost),
      // Of a list with further pages, the total is unknown.
      ...(!isPart && { total: found.length }),
      hasMore: isPart || found.length > valuesAtMost,
    },
  }
}
