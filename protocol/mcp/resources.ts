import {
  ResourceNotFoundError,
  type ProtocolError,
  type ReadResourceResult,
} from '@modelcontextprotocol/server'
import { codes, commonCodes, Refusal } from '#src/core/errors.ts'
import { changesNothing, toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Exchange } from './exchange.ts'
import { unknownName } from './faults.ts'
import {
  briefUri,
  type Guidance,
  type GuideFacts,
  type PublishedDocument,
} from './prompts/guidance.ts'
import { hasMark } from '#src/core/text/untrusted.ts'
import { protocolError, untrustedMetaKey } from './results.ts'
import { toolSchema } from '#src/documents/schemas/plain.ts'
import {
  guideTemplate,
  matched,
  operationTemplate,
  templatesOf,
  variablesOf,
  type OwnTemplate,
} from './templates.ts'
import { titleOf, whoMayCall, type ToolTable } from './tools.ts'

/** What does not change while the process runs may be cached for five minutes, by anyone. */
export const publicHint = { ttlMs: 300_000, cacheScope: 'public' } as const

const skillUri = 'abode://skill'
const operationsUri = 'abode://operations'
const json = 'application/json'
/** The largest manifest and the OpenAPI document fit; a host passes the whole text to a model. */
const charactersAtMost = 8 * 2 ** 20
const uriAtMost = 2048

export interface Shelved {
  /** The guide that every door has. */
  skill: Guidance['skill']
  /** Guides and other published documents, if the door is given any. */
  documents: readonly PublishedDocument[]
  tools: ToolTable
}

/** The resources of a door: guides, documents, the operations, and the caller's own. */
export class ResourceShelf {
  readonly resources: readonly Record<string, unknown>[]
  readonly templates: readonly Record<string, unknown>[]
  readonly #catalog: readonly Operation[]
  readonly #shelved: Shelved
  readonly #own: ReturnType<typeof templatesOf>
  readonly #texts = new Map<string, string>()

  constructor({ name, catalog }: GuideFacts, shelved: Shelved) {
    this.#catalog = catalog
    this.#shelved = shelved
    this.#own = templatesOf(catalog)
    const { skill, documents } = shelved
    this.resources = [
      {
        uri: skillUri,
        name: 'skill',
        title: `How to use ${name}`,
        description: skill.description,
        mimeType: 'text/markdown',
      },
      ...(skill.brief
        ? [
            {
              uri: briefUri,
              name: 'skill-mcp',
              title: `How to use ${name} over MCP`,
              description: 'The guide, without the calls of other doors.',
              mimeType: 'text/markdown',
            },
          ]
        : []),
      {
        uri: operationsUri,
        name: 'operations',
        title: 'Every operation',
        description: 'The operations with their tools, REST addresses and callers.',
        mimeType: json,
      },
      ...documents.map(entryOf),
      ...this.#own.flatMap(({ uriTemplate: uri, ...own }) =>
        isTemplate(uri) ? [] : [{ uri, ...shownOf(own) }],
      ),
    ]
    this.templates = [
      operationEntry,
      ...(documents.some(isGuide) ? [guideEntry] : []),
      ...this.#own.flatMap(({ uriTemplate, ...own }) =>
        isTemplate(uriTemplate) ? [{ uriTemplate, ...shownOf(own) }] : [],
      ),
    ]
  }

  /** @throws ProtocolError for a URI that leads to nothing, or to something the caller may not read */
  async read(uri: string, exchange: Exchange, signal: AbortSignal): Promise<ReadResourceResult> {
    if (uri.length > uriAtMost) throw new ResourceNotFoundError(uri.slice(0, uriAtMost))
    const document = this.#shelved.documents.find((candidate) => candidate.uri === uri)
    if (document) {
      return published(uri, document.mimeType, await this.#kept(uri, document), document.meta)
    }
    if (uri === skillUri) {
      return published(uri, 'text/markdown', await this.#kept(uri, this.#shelved.skill))
    }
    const { skill } = this.#shelved
    if (skill.brief && uri === briefUri) {
      return published(uri, 'text/markdown', await this.#kept(uri, skill.brief))
    }
    if (uri === operationsUri) return published(uri, json, this.#made(uri, this.#list))
    const name = matched(operationTemplate, uri)?.['name']
    return name === undefined
      ? this.#ofCaller(uri, exchange, signal)
      : this.#operation(uri, name, exchange)
  }

  async #ofCaller(
    uri: string,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<ReadResourceResult> {
    for (const { uriTemplate, answers } of this.#own) {
      const input = matched(uriTemplate, uri)
      if (!input) continue
      const { answer, refusal } = await exchange.serve(answers, input, undefined, signal)
      if (refusal?.kind === 'not_found') throw protocolError(refusal, exchange, { uri })
      if (refusal) throw protocolError(refusal, exchange)
      if (answer.text.length > charactersAtMost) throw protocolError(tooLarge(answers), exchange)
      const { text } = answer
      // Hosts read it as JSON: a fence inside would break it.
      const meta = hasMark(text) && { _meta: { [untrustedMetaKey]: true } }
      return { contents: [{ uri, mimeType: json, text, ...meta }] }
    }
    throw this.#nothing(uri, exchange)
  }

  /** With the nearest of the addresses that are the same for everyone. */
  #nothing(uri: string, exchange: Exchange): ProtocolError {
    const known = this.resources.flatMap(({ uri: one }) => (typeof one === 'string' ? [one] : []))
    const list = 'resources/list and resources/templates/list'
    return unknownName('resource', uri, known, { list, members: { uri } }, exchange)
  }

  #operation(uri: string, name: string, exchange: Exchange): ReadResourceResult {
    const { tools } = this.#shelved
    const op = this.#catalog.find((op) => op.name === name) ?? tools.find(name)
    if (!op) throw this.#nothing(uri, exchange)
    return published(
      uri,
      json,
      this.#made(op.name, () => operationText(op)),
    )
  }

  /** The text of a source, loaded once; after a failure it is loaded again. */
  async #kept(uri: string, source: Pick<PublishedDocument, 'text'>): Promise<string> {
    const text = this.#texts.get(uri) ?? (await source.text())
    this.#texts.set(uri, text)
    return text
  }

  readonly #list = (): string => listText(this.#catalog)

  /** Makes a text once. The key is our own name for it: a URI can be spelled in many ways. */
  #made(key: string, make: () => string): string {
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = make()
    this.#texts.set(key, text)
    return text
  }
}

/** A resource that is the same for everyone: clients may cache it for a while. */
function published(
  uri: string,
  mimeType: string,
  text: string,
  meta?: Record<string, unknown>,
): ReadResourceResult {
  return { contents: [{ uri, mimeType, text, ...(meta && { _meta: meta }) }], ...publicHint }
}

function entryOf(document: PublishedDocument): Record<string, unknown> {
  const { uri, name, title, description, mimeType, meta } = document
  return { uri, name, title, description, mimeType, ...(meta && { _meta: meta }) }
}

function isTemplate(uri: string): boolean {
  return variablesOf(uri).length > 0
}

function shownOf({ name, title, description }: Omit<OwnTemplate, 'uriTemplate' | 'role'>) {
  return { name, title, description, mimeType: json }
}

function tooLarge({ http }: Operation): Refusal {
  return new Refusal('payload_too_large', 'This is too large to be read as a resource.', {
    hint: `Read it by REST: ${http.method} ${http.path}.`,
  })
}

function isGuide({ uri }: PublishedDocument): boolean {
  return matched(guideTemplate, uri) !== undefined
}

const operationEntry = {
  uriTemplate: operationTemplate,
  name: 'operation',
  title: 'One operation',
  description: 'An operation with its example, both schemas and the codes it refuses with.',
  mimeType: json,
}

const guideEntry = {
  uriTemplate: guideTemplate,
  name: 'guide',
  title: 'One guide',
  description: 'A guide, step by step, with examples that work.',
  mimeType: 'text/markdown',
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
