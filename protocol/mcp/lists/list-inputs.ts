import { toolName } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { homesIn, written, type Draft, type Homes } from '#src/documents/schemas/drafts.ts'
import { asObject } from '#src/documents/schemas/plain.ts'
import type { MadeTools, ToolDescriptor } from '../descriptor.ts'
import { inToolWords } from '../tool-words.ts'

interface Listed {
  op: Operation
  tool: ToolDescriptor
}

/** The inputs of tools in lists of some of them, where no tool may refer to one that the list lacks. */
export class ListInputs {
  readonly #made: MadeTools
  readonly #drafts: ReadonlyMap<string, Draft>
  readonly #tools: ReadonlySet<string>
  /** Tools by their operation and the homes of its parts: few, however many lists are asked for. */
  readonly #known = new Map<string, ToolDescriptor>()

  constructor(made: MadeTools) {
    this.#made = made
    this.#drafts = new Map(made.drafts.inputs.map((draft) => [draft.name, draft]))
    this.#tools = new Set(made.descriptors.map(({ name }) => name))
    const whole = homesIn(made.drafts)
    const byName = new Map(made.descriptors.map((tool) => [tool.name, tool]))
    for (const draft of made.drafts.inputs) {
      const tool = byName.get(toolName(draft))
      if (tool) this.#known.set(keyOf(draft, whole), tool)
    }
  }

  /** The tools of a list that has these, and no others. */
  inList(listed: readonly Listed[]): Listed[] {
    const names = new Set(listed.map(({ op }) => op.name))
    const homes = homesIn(this.#made.drafts, (name) => names.has(name))
    return listed.map(({ op, tool }) => {
      const draft = this.#drafts.get(op.name)
      return draft ? { op, tool: this.#written(tool, draft, homes) } : { op, tool }
    })
  }

  #written(tool: ToolDescriptor, draft: Draft, homes: Homes): ToolDescriptor {
    const key = keyOf(draft, homes)
    const known = this.#known.get(key)
    if (known) return known
    const inputSchema = asObject(written(draft, this.#made.drafts, homes))
    const made = inToolWords({ ...tool, inputSchema }, this.#tools)
    this.#known.set(key, made)
    return made
  }
}

/** The same for lists in which the input of the operation is the same. */
function keyOf({ name, document, parts, documentParts }: Draft, homes: Homes): string {
  const home = document === undefined ? undefined : homes.documents.get(document)
  const some = home === name ? [...parts, ...documentParts] : parts
  return JSON.stringify([name, home, some.map((part) => homes.parts.get(part))])
}
