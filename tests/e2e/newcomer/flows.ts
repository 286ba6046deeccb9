import { Contract, type Endpoint, type Values } from './contract.ts'
import type { Memory } from './memory.ts'
import { readJson } from './read.ts'

interface End {
  actionId: string
  fieldPath: string
}

/** A flow of `agents.json`, 0.1. */
interface Flow {
  id: string
  title: string
  description: string
  actions: { id: string; sourceId: string; operationId: string }[]
  links: { origin: End; target: End }[]
  fields: { parameters: { name: string; description: string; required?: boolean }[] }
}

interface AgentsJson {
  sources: { id: string; path: string }[]
  flows: Flow[]
}

/** What a reader of `agents.json` and the contracts that it names can do. */
export class Flows {
  readonly #document: AgentsJson
  readonly #contracts: ReadonlyMap<string, Contract>

  private constructor(document: AgentsJson, contracts: ReadonlyMap<string, Contract>) {
    this.#document = document
    this.#contracts = contracts
  }

  static async at(url: string): Promise<Flows> {
    const document = await readJson<AgentsJson>(url)
    const contracts = new Map<string, Contract>()
    for (const { id, path } of document.sources) contracts.set(id, await Contract.at(path))
    return new Flows(document, contracts)
  }

  /** The one flow whose title has all of these words. @throws Error when not exactly one has */
  about(...words: readonly string[]): Flow {
    const fitting = this.#document.flows.filter(({ title }) => {
      const said = title.toLowerCase().split(/[^a-z]+/)
      return words.every((word) => said.includes(word))
    })
    const [first] = fitting
    if (!first || fitting.length > 1) {
      throw new Error(`${fitting.length} flows speak of ${words.join(' ')}`)
    }
    return first
  }

  /** An operation that a flow speaks of, by the words in which it does. */
  named(flow: Flow, words: RegExp): { contract: Contract; endpoint: Endpoint } {
    const said = [flow.description, ...flow.fields.parameters.map((one) => one.description)]
    const [, id = ''] = words.exec(said.join('\n')) ?? []
    for (const contract of this.#contracts.values()) {
      if (contract.endpoints.some((one) => one.id === id)) {
        return { contract, endpoint: contract.byId(id) }
      }
    }
    throw new Error(`${flow.id} names no operation by ${words.source}`)
  }

  /**
   * Plays it: what it takes is given, or is taken from the example at the place where it goes.
   * @returns what its last action has answered
   */
  async play(flow: Flow, memory: Memory, given: Readonly<Record<string, unknown>>) {
    const answers = new Map<string, unknown>()
    let last: unknown
    for (const { id, sourceId, operationId } of flow.actions) {
      const contract = this.#contracts.get(sourceId)
      if (!contract) throw new Error(`${flow.id} names the source ${sourceId}, which there is not`)
      const endpoint = contract.byId(operationId)
      const values = valuesOf(flow, id, endpoint, (origin) => {
        if (origin.actionId !== flow.id) return at(answers.get(origin.actionId), origin.fieldPath)
        return given[origin.fieldPath.replace('parameters.', '')]
      })
      last = await contract.call(endpoint, memory, values)
      answers.set(id, { responses: { success: last } })
    }
    return last
  }
}

/** What goes into one action, from what is known or from its example. */
function valuesOf(
  flow: Flow,
  action: string,
  endpoint: Endpoint,
  known: (origin: End) => unknown,
): Values {
  const parameters: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}
  for (const { origin, target } of flow.links) {
    if (target.actionId !== action) continue
    const [, kind, name = ''] = /^(parameters|requestBody)\.(.+)$/.exec(target.fieldPath) ?? []
    const value = known(origin) ?? (kind === 'requestBody' ? endpoint.example?.[name] : undefined)
    if (value === undefined) continue
    if (kind === 'parameters') parameters[name] = value
    else body[name] = value
  }
  return Object.keys(body).length > 0 ? { parameters, body } : { parameters }
}

function at(value: unknown, path: string): unknown {
  // Every member on the way is an object of an answer.
  return path
    .split('.')
    .reduce((one, name) => (one as Record<string, unknown> | undefined)?.[name], value)
}
