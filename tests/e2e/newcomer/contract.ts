import { randomUUID } from 'node:crypto'
import type { Memory } from './memory.ts'
import { readJson } from './read.ts'
import { sent } from './requests.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example?: unknown
}

interface OpenapiOperation {
  operationId: string
  summary: string
  description?: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
  security?: Record<string, string[]>[]
}

interface Openapi {
  servers: { url: string }[]
  paths: Record<string, Record<string, OpenapiOperation>>
  components: {
    parameters: Record<string, Parameter>
    securitySchemes: Record<string, { type: string; scheme?: string; description?: string }>
  }
}

/** One operation of an OpenAPI document. */
export interface Endpoint {
  id: string
  method: string
  path: string
  summary: string
  /** Summary and description. */
  words: string
  parameters: readonly Parameter[]
  /** The example of its body. */
  example: Readonly<Record<string, unknown>> | undefined
  schemes: readonly string[]
}

/** Values for the places of one call. */
export interface Values {
  parameters?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

/** An OpenAPI document, as used by a client that knows nothing else. */
export class Contract {
  readonly #document: Openapi
  readonly endpoints: readonly Endpoint[]

  /** @param document as its format says */
  constructor(document: Openapi) {
    this.#document = document
    this.endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.#endpoint(path, method, operation)),
    )
  }

  static async at(url: string): Promise<Contract> {
    return new Contract(await readJson<Openapi>(url))
  }

  #endpoint(path: string, method: string, operation: OpenapiOperation): Endpoint {
    const { operationId, summary, description = '', security = [] } = operation
    const parameters = (operation.parameters ?? []).map((one) =>
      '$ref' in one ? this.#shared(one.$ref) : one,
    )
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      words: `${summary} ${description}`,
      parameters,
      example: operation.requestBody?.content['application/json']?.example,
      schemes: security.flatMap((one) => Object.keys(one)),
    }
  }

  #shared(ref: string): Parameter {
    const found = this.#document.components.parameters[ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the contract lacks ${ref}`)
    return found
  }

  byId(id: string): Endpoint {
    const found = this.endpoints.find((one) => one.id === id)
    if (!found) throw new Error(`the contract has no operation ${id}`)
    return found
  }

  /** The one operation whose summary has all of these words. @throws Error when not exactly one has */
  about(...words: readonly string[]): Endpoint {
    const fitting = this.endpoints.filter(({ summary }) => {
      const said = summary.toLowerCase().split(/[^a-z]+/)
      return words.every((word) => said.includes(word))
    })
    const [first] = fitting
    if (!first || fitting.length > 1) {
      const found = fitting.map(({ id }) => id).join(', ')
      throw new Error(`${words.join(' ')}: ${found === '' ? 'no operation' : found}`)
    }
    return first
  }

  /** Calls it: with these values, with examples where more is needed. What is answered is learned. */
  async call(endpoint: Endpoint, memory: Memory, values: Values = {}): Promise<unknown> {
    const { method, path, parameters, example } = endpoint
    const { parameters: given = {}, body } = values
    const valueOf = ({ name, example }: Parameter): string => String(given[name] ?? example)
    const placed = parameters
      .filter((one) => one.in === 'path')
      .reduce((url, one) => url.replace(`{${one.name}}`, encodeURIComponent(valueOf(one))), path)
    const asked = parameters.filter(
      (one) => one.in === 'query' && (one.name in given || one.required),
    )
    const query = new URLSearchParams(asked.map((one) => [one.name, valueOf(one)]))
    const sends = body ?? example
    const [server] = this.#document.servers
    const answer = await sent({
      method,
      url: `${server?.url ?? ''}${placed}${query.size > 0 ? `?${query.toString()}` : ''}`,
      headers: {
        ...this.#credential(endpoint, memory),
        ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }),
        ...(sends && { 'Content-Type': 'application/json' }),
      },
      ...(sends && { body: JSON.stringify(sends) }),
    })
    memory.learn(answer)
    return answer
  }

  /** The description of a scheme says what its tokens begin with. */
  #credential({ schemes }: Endpoint, memory: Memory): Record<string, string> {
    if (schemes.length === 0) return {}
    for (const name of schemes) {
      const { scheme, description = '' } = this.#document.components.securitySchemes[name] ?? {}
      const [, prefix] = /\((\w+_)…\)/.exec(description) ?? []
      if (scheme !== 'bearer' || prefix === undefined) continue
      const token = memory.credential(prefix)
      if (token !== undefined) return { Authorization: `Bearer ${token}` }
    }
    throw new Error(`no credential of ${schemes.join(' or ')} was found`)
  }
}
