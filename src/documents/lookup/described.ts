import { codes, kinds } from '#src/core/errors.ts'
import { isRead, toolName, whoCalls, type OperationFacts } from '#src/core/operation-facts.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import type { Clock } from '#src/ports/clock.ts'
import { inputSchemaSteps, outputSchema, type ListedInputs } from '../schemas/abridge.ts'
import { toolSchema, type ToolSchema } from '../schemas/plain.ts'

const inputs = new WeakMap<readonly OperationFacts[], Promise<ListedInputs>>()

/** How an operation is called through each door, and by whom. */
export function calledAs(op: OperationFacts) {
  return {
    name: op.name,
    tool: op.restOnly ? null : toolName(op),
    method: op.http.method,
    path: op.http.path,
    summary: op.summary,
    auth: whoCalls(op),
    read_only: isRead(op),
    toolsets: [...op.toolsets],
  }
}

/**
 * The input of an operation as JSON Schema. What another operation of the catalog spells out is named there:
 * an agent with its tasks would be larger than all the rest.
 */
export async function inputOf(
  op: OperationFacts,
  catalog: readonly OperationFacts[],
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Promise<ToolSchema> {
  const made =
    inputs.get(catalog) ??
    inPortions(
      inputSchemaSteps(catalog, ({ name }) => name),
      clock,
    )
  inputs.set(catalog, made)
  return (await made).schemas.get(op) ?? toolSchema(op.input, 'input')
}

/** The answer of an operation as JSON Schema: its members only, or in full. */
export function answerOf(op: OperationFacts, form: 'short' | 'full'): ToolSchema {
  return form === 'full' ? toolSchema(op.output, 'output') : outputSchema(op)
}

/** The codes of an operation's own, with the status that REST answers them with. */
export function refusalsOf({
  refuses,
}: Pick<OperationFacts, 'refuses'>): { code: string; status: number }[] {
  return [...new Set(refuses)].map((code) => ({ code, status: kinds[codes[code]].status }))
}
