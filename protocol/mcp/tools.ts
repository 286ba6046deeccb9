import {
  toolsets,
  type Toolset,
  changesNothing,
  isRead,
  toolName,
  toolsetsOf,
  whoCalls,
} from '#src/core/operation-facts.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { Operation } from '#src/core/operation.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { inputSchemaSteps, outputSchema } from '#src/documents/schemas/abridge.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Understood } from '#src/core/input/understood.ts'
import { calledByName, changesSomething, takesNamedCalls } from '#protocol/named-call.ts'
import { ListInputs } from './lists/list-inputs.ts'
import { namedCallTool } from './named-call-tool.ts'
import { annotationsOf } from './annotations.ts'
import { viewUri } from './apps/extension.ts'
import type { MadeTools, ToolDescriptor } from './descriptor.ts'
import { inToolWords } from './tool-words.ts'
import { shortTools } from './lists/short-tools.ts'
import { namedCall } from '#src/documents/lookup/named-call.ts'
import { asObject, type ToolSchema } from '#src/documents/schemas/plain.ts'

/** Hosts add a prefix to it, and refuse names of more than 64 characters in total. */
const acceptableName = /^[a-z][a-z0-9_]{0,47}$/

/** Which tools a list shows. Those of other toolsets may be called too; where only reads are asked for, nothing else. */
export interface Selection {
  toolsets: readonly Toolset[] | undefined
  readonly: boolean
}

/** The call of a tool, and whether its answer is given as text alone. */
export type ToolCall = { asText: boolean } & (
  | {
      operation: Operation
      input: unknown
      /** How the call by name itself was understood. */
      understood?: readonly Understood[]
      refusal?: undefined
    }
  | { operation?: undefined; refusal: Refusal }
)

/** The tools of a catalog, in steps of one operation: all together take long. */
export function* toolSteps(catalog: readonly Operation[]): Steps<MadeTools> {
  const { schemas, drafts } = yield* inputSchemaSteps(catalog)
  const names = new Set(catalog.map(toolName))
  const descriptors: ToolDescriptor[] = []
  for (const op of catalog) {
    descriptors.push(inToolWords(describe(op, schemas.get(op) ?? asObject({})), names))
    yield
  }
  return { descriptors, drafts }
}

/**
 * Every operation as a tool, in document order.
 * @throws Error when two operations share a tool name, or one does not match what hosts accept
 */
export class ToolTable {
  readonly descriptors: readonly ToolDescriptor[]
  /** Whether any other may be called by one of them. */
  readonly callsByName: boolean
  readonly #operations: readonly Operation[]
  readonly #toolsets: readonly Toolset[]
  readonly #byName: ReadonlyMap<string, Operation>
  readonly #absent: AbsenceOf | undefined
  readonly #inputs: ListInputs
  readonly #lists = new Map<string, readonly ToolDescriptor[]>()

  /** @param made the tools of the catalog, if they are made already */
  constructor(
    catalog: readonly Operation[],
    made: MadeTools = atOnce(toolSteps(catalog)),
    absent?: AbsenceOf,
  ) {
    this.#absent = absent
    this.#operations = catalog
    this.#toolsets = toolsetsOf(catalog)
    this.#byName = new Map(catalog.map((op) => [toolName(op), op]))
    if (this.#byName.size < catalog.length) throw new Error('two operations share a tool name')
    for (const name of this.#byName.keys()) {
      if (!acceptableName.test(name)) throw new Error(`hosts would refuse the tool name "${name}"`)
    }
    this.callsByName = takesNamedCalls(catalog)
    this.descriptors = made.descriptors
    this.#inputs = new ListInputs(made)
  }

  /** The operation behind a tool, or undefined. */
  find(name: string): Operation | undefined {
    return this.#byName.get(name)
  }

  /**
   * What a call of a tool means: that of the operation itself, or of the one that a call by name names.
   * Undefined if there is no such tool. Where tools are listed without the schemas of their answers, an
   * answer is given once: many hosts show a model both forms of it.
   */
  called(name: string, input: unknown, selection: Selection): ToolCall | undefined {
    if (name === namedCall.tool && this.callsByName) {
      const { readonly: reads } = selection
      const callable = { catalog: this.#operations, absent: this.#absent, reads }
      return { ...calledByName(input, callable), asText: true }
    }
    const operation = this.find(name)
    if (!operation) return undefined
    if (selection.readonly && !changesNothing(operation)) {
      return { refusal: changesSomething(operation), asText: true }
    }
    return { operation, input, asText: operation.asText === true || isForModels(selection) }
  }

  /** The toolsets of these tools. */
  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** The same array for the same selection, so that results derived from it can be cached. */
  list(selection: Selection): readonly ToolDescriptor[] {
    const key = selectionKey(selection)
    const known = this.#lists.get(key)
    if (known) return known
    const chosen = this.descriptors.flatMap((tool, i) => {
      const op = this.#operations[i]
      return op !== undefined && isShown(op, selection) ? [{ op, tool }] : []
    })
    const shown = this.#inputs.inList(chosen)
    const list = isForModels(selection)
      ? shortTools(shown, this.descriptors)
      : shown.map(({ tool }) => tool)
    if (this.callsByName && isChosen(namedCall, selection)) {
      list.push(namedCallTool(selection.readonly))
    }
    this.#lists.set(key, list)
    return list
  }
}

/** Equal for selections that show the same tools. */
export function selectionKey({ toolsets: names, readonly }: Selection): string {
  const chosen = names ? toolsets.filter((name) => names.includes(name)).join() : '*'
  return `${chosen} ${readonly}`
}

/** Whether only what every host needs is asked for, which hosts show to a model as a whole. */
function isForModels({ toolsets: names }: Selection): boolean {
  return names !== undefined && names.every((name) => name === 'core')
}

function isShown(op: Operation, { toolsets: names, readonly }: Selection): boolean {
  return (!readonly || changesNothing(op)) && isChosen(op, { toolsets: names })
}

function isChosen(
  op: { readonly toolsets: readonly Toolset[] },
  { toolsets: names }: Pick<Selection, 'toolsets'>,
): boolean {
  return !names || op.toolsets.some((name) => names.includes(name))
}

function describe(op: Operation, inputSchema: ToolSchema): ToolDescriptor {
  return {
    name: toolName(op),
    title: titleOf(op),
    description: descriptionOf(op),
    inputSchema,
    ...(!op.asText && { outputSchema: outputSchema(op) }),
    annotations: annotationsOf(op),
    ...(op.view && { _meta: { ui: { resourceUri: viewUri(op.view) } } }),
  }
}

/** "agent_apps.deliveries.list" is "Agent apps: deliveries list". */
export function titleOf(op: Pick<Operation, 'name'>): string {
  const [group = '', ...rest] = op.name.replaceAll('_', ' ').split('.')
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}: ${rest.join(' ')}`
}

function descriptionOf(op: Operation): string {
  const parts = [op.summary]
  if (op.description) parts.push(op.description)
  parts.push(whoMayCall(op))
  if (!isRead(op) && op.http.method === 'POST') parts.push(keyAdvice)
  parts.push(`Example: ${JSON.stringify(op.example)}`)
  return parts.join('\n')
}

const keyAdvice =
  'Send one _meta["idempotency-key"] per intended effect, and the same one again when retrying.'

/** Who may call an operation, in one sentence. */
export function whoMayCall(op: Pick<Operation, 'auth' | 'scope' | 'trust' | 'keyless'>): string {
  const level = op.trust ? ` Needs trust level ${op.trust}.` : ''
  return callers[whoCalls(op)] + level
}

const callers: Readonly<Record<ReturnType<typeof whoCalls>, string>> = {
  none: 'No key needed.',
  key: 'Needs a key of the account that is not scoped to one agent.',
  agent_key: 'Needs a key of the account, or one that acts as the agent concerned.',
  any_or_key: 'Needs a key, and none where the agent is open to everybody.',
  commons: 'Needs a Commons handle (cmn_) or a key that acts as an agent.',
  person: 'Needs a person who is signed in at a browser.',
}
