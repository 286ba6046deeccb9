import {
  toolsets,
  type Toolset,
  changesNothing,
  isRead,
  toolName,
  toolsetsOf,
  whoCalls,
} from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { inputSchemaSteps, outputSchema } from './abridge.ts'
import { annotationsOf, type ToolAnnotations } from './annotations.ts'
import { asObject, type ToolSchema } from './schema.ts'

/** Hosts add a prefix to it, and refuse names of more than 64 characters in total. */
const acceptableName = /^[a-z][a-z0-9_]{0,47}$/

/** An operation as MCP lists it. */
export interface ToolDescriptor {
  name: string
  title: string
  description: string
  inputSchema: ToolSchema
  outputSchema: ToolSchema
  annotations: ToolAnnotations
}

/** Which tools a list shows; every operation may be called even if it is not listed. */
export interface Selection {
  toolsets: readonly Toolset[] | undefined
  readonly: boolean
}

/** The descriptors of a catalog, in steps of one operation: all together take long. */
export function* descriptorSteps(catalog: readonly Operation[]): Steps<readonly ToolDescriptor[]> {
  const inputs = yield* inputSchemaSteps(catalog)
  const descriptors: ToolDescriptor[] = []
  for (const op of catalog) {
    descriptors.push(describe(op, inputs.get(op) ?? asObject({})))
    yield
  }
  return descriptors
}

/**
 * Every operation as a tool, in document order.
 * @throws Error when two operations share a tool name, or one does not match what hosts accept
 */
export class ToolTable {
  readonly descriptors: readonly ToolDescriptor[]
  readonly #operations: readonly Operation[]
  readonly #toolsets: readonly Toolset[]
  readonly #byName: ReadonlyMap<string, Operation>
  readonly #lists = new Map<string, readonly ToolDescriptor[]>()

  /** @param descriptors those of the catalog, if they are made already */
  constructor(catalog: readonly Operation[], descriptors?: readonly ToolDescriptor[]) {
    this.#operations = catalog
    this.#toolsets = toolsetsOf(catalog)
    this.#byName = new Map(catalog.map((op) => [toolName(op), op]))
    if (this.#byName.size < catalog.length) throw new Error('two operations share a tool name')
    for (const name of this.#byName.keys()) {
      if (!acceptableName.test(name)) throw new Error(`hosts would refuse the tool name "${name}"`)
    }
    this.descriptors = descriptors ?? atOnce(descriptorSteps(catalog))
  }

  /** The operation behind a tool, or undefined. */
  find(name: string): Operation | undefined {
    return this.#byName.get(name)
  }

  /** The toolsets of these tools. */
  get toolsets(): readonly Toolset[] {
    return this.#toolsets
  }

  /** The same array for the same selection, so that results derived from it can be cached. */
  list(selection: Selection): readonly ToolDescriptor[] {
    if (!selection.toolsets && !selection.readonly) return this.descriptors
    const key = selectionKey(selection)
    const known = this.#lists.get(key)
    if (known) return known
    const shown = this.descriptors.filter((_, i) => {
      const op = this.#operations[i]
      return op !== undefined && isShown(op, selection)
    })
    this.#lists.set(key, shown)
    return shown
  }
}

/** Equal for selections that show the same tools. */
export function selectionKey({ toolsets: names, readonly }: Selection): string {
  const chosen = names ? toolsets.filter((name) => names.includes(name)).join() : '*'
  return `${chosen} ${readonly}`
}

function isShown(op: Operation, { toolsets: names, readonly }: Selection): boolean {
  if (readonly && !changesNothing(op)) return false
  return !names || op.toolsets.some((name) => names.includes(name))
}

function describe(op: Operation, inputSchema: ToolSchema): ToolDescriptor {
  return {
    name: toolName(op),
    title: titleOf(op),
    description: descriptionOf(op),
    inputSchema,
    outputSchema: outputSchema(op),
    annotations: annotationsOf(op),
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
