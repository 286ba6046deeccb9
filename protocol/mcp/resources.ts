import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server'
import { codes, commonCodes } from '#src/core/errors.ts'
import { changesNothing, toolName, type Operation } from '#src/core/operation.ts'
import type { Exchange } from './exchange.ts'
import type { Guidance, GuideFacts } from './guidance.ts'
import { protocolError } from './results.ts'
import { toolSchema } from './schema.ts'
import { titleOf, whoMayCall, type ToolTable } from './tools.ts'

/** What does not change while the process runs may be kept for five minutes, by anybody. */
export const publicHint = { ttlMs: 300_000, cacheScope: 'public' } as const

const skillUri = 'abode://skill'
const operationsUri = 'abode://operations'
export const operationTemplate = 'abode://operations/{name}'
export const characterTemplate = 'abode://characters/{char_id}'

/** What the door offers to read: the guide, the operations, and the caller's own agents. */
export class ResourceShelf {
  readonly resources: readonly Record<string, unknown>[]
  readonly templates: readonly Record<string, unknown>[]
  readonly #catalog: readonly Operation[]
  readonly #skill: Guidance['skill']
  readonly #tools: ToolTable
  readonly #characters: Operation | undefined
  readonly #texts = new Map<string, string>()

  constructor({ name, catalog }: GuideFacts, skill: Guidance['skill'], tools: ToolTable) {
    this.#catalog = catalog
    this.#skill = skill
    this.#tools = tools
    this.#characters = catalog.find((op) => op.name === 'characters.get')
    this.resources = [
      {
        uri: skillUri,
        name: 'skill',
        title: `How to use ${name}`,
        description: skill.description,
        mimeType: 'text/markdown',
      },
      {
        uri: operationsUri,
        name: 'operations',
        title: 'Every operation',
        description: 'The operations with their tools, REST addresses and callers.',
        mimeType: 'application/json',
      },
    ]
    this.templates = [
      {
        uriTemplate: operationTemplate,
        name: 'operation',
        title: 'One operation',
        description: 'An operation with its example, both schemas and the codes it refuses with.',
        mimeType: 'application/json',
      },
      ...(this.#characters ? [characterEntry] : []),
    ]
  }

  /** @throws ProtocolError for an address that leads to nothing, or nowhere the caller may go */
  async read(uri: string, exchange: Exchange, signal: AbortSignal): Promise<ReadResourceResult> {
    if (uri === skillUri) return published(uri, 'text/markdown', await this.#skillText())
    if (uri === operationsUri) {
      return published(uri, 'application/json', this.#text(uri, this.#list))
    }
    const operation = nameIn(uri, operationTemplate)
    if (operation !== undefined) return this.#operation(uri, operation)
    const charId = nameIn(uri, characterTemplate)
    if (charId === undefined || !this.#characters) throw new ResourceNotFoundError(uri)
    const { requestId } = exchange.request
    const input = { char_id: charId }
    const outcome = await exchange.serve(this.#characters, input, undefined, signal)
    if (outcome.refusal?.kind === 'not_found') throw new ResourceNotFoundError(uri)
    if (outcome.refusal) throw protocolError(outcome.refusal, requestId)
    return { contents: [{ uri, mimeType: 'application/json', text: outcome.answer.text }] }
  }

  #operation(uri: string, name: string): ReadResourceResult {
    const op = this.#catalog.find((op) => op.name === name) ?? this.#tools.find(name)
    if (!op) throw new ResourceNotFoundError(uri)
    return published(
      uri,
      'application/json',
      this.#text(op.name, () => operationText(op)),
    )
  }

  async #skillText(): Promise<string> {
    const text = this.#texts.get(skillUri) ?? (await this.#skill.text())
    this.#texts.set(skillUri, text)
    return text
  }

  readonly #list = (): string => listText(this.#catalog)

  /** Made once. The key is a name of ours: an address can be spelled in many ways. */
  #text(key: string, make: () => string): string {
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = make()
    this.#texts.set(key, text)
    return text
  }
}

/** What is the same for everybody: clients may keep it for a while. */
function published(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }], ...publicHint }
}

const characterEntry = {
  uriTemplate: characterTemplate,
  name: 'character',
  title: 'One of your agents',
  description: 'An agent with its tasks, as characters_get answers it. Needs a key.',
  mimeType: 'application/json',
}

/**
 * The value of a template's one variable, or undefined when the address is of another form.
 * @throws ProtocolError for an address with a broken escape
 */
function nameIn(uri: string, template: string): string | undefined {
  const prefix = template.slice(0, template.indexOf('{'))
  const rest = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  if (rest === '' || rest.includes('/')) return undefined
  try {
    return decodeURIComponent(rest)
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The address has a broken escape.')
  }
}

function listText(catalog: readonly Operation[]): string {
  const items = catalog.map((op) => ({
    name: op.name,
    tool: toolName(op),
    summary: op.summary,
    http: op.http,
    auth: op.auth,
    scope: op.scope ?? null,
    reads: changesNothing(op),
    toolsets: op.toolsets,
    resource: operationTemplate.replace('{name}', op.name),
  }))
  return JSON.stringify({ items })
}

function operationText(op: Operation): string {
  const refuses = [...new Set([...op.refuses, ...commonCodes])]
  return JSON.stringify({
    name: op.name,
    tool: toolName(op),
    title: titleOf(op),
    summary: op.summary,
    description: op.description ?? null,
    who: whoMayCall(op),
    http: op.http,
    toolsets: op.toolsets,
    reads: changesNothing(op),
    document: op.document ?? null,
    example: op.example,
    input: toolSchema(op.input, 'input'),
    output: toolSchema(op.output, 'output'),
    refuses: refuses.map((code) => ({ code, kind: codes[code] })),
  })
}
