import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Ports } from '#src/core/context.ts'
import type { JsonSchemas, Misfit } from '#src/ports/json-schemas.ts'
import type { Outcome } from '../ended.ts'
import { jsonIn, writtenCharactersAtMost } from '../generation/fit.ts'

declare module '#src/core/context.ts' {
  interface Ports {
    schemas: JsonSchemas
  }
}

type Holding = Pick<StoredTask, 'output_schema' | 'owner_id'>

/** An output as its task wants it, or what of it does not fit. */
export type HeldOutput = { output: unknown; misfits?: undefined } | { misfits: Misfit[] }

const notJson: Misfit = {
  pointer: '',
  message: `is no JSON of at most ${writtenCharactersAtMost} characters`,
}

/**
 * Holds an output to the schema of its task. JSON that is written as a text is understood where the schema takes
 * no such text, also within a code block.
 */
export async function heldOutput(
  { schemas }: Pick<Ports, 'schemas'>,
  task: Holding | undefined,
  output: unknown,
): Promise<HeldOutput> {
  const schema = task?.output_schema
  if (!schema) return { output }
  const misfits = await schemas.misfits(schema, output, task.owner_id)
  if (misfits.length === 0) return { output }
  if (typeof output !== 'string') return { misfits }
  const read = jsonIn(output)
  if (read === undefined) return { misfits: [notJson, ...misfits] }
  const inside = await schemas.misfits(schema, read, task.owner_id)
  return inside.length === 0 ? { output: read } : { misfits: inside }
}

/**
 * For work on runs, of which only so many are worked on at once: checks of their results wait, however many
 * others do.
 * @param signal ends the waiting
 */
export function patient(ports: Ports, signal?: AbortSignal): Ports {
  return { ...ports, schemas: ports.schemas.patient(signal) }
}

/** What does not fit, in words. */
export function misfitWords(misfits: readonly Misfit[]): string {
  return misfits.map(({ pointer, message }) => `${pointer || 'The output'}: ${message}`).join('; ')
}

/** An outcome that is held to the schema of its task: a result that does not fit is a failure. */
export async function heldOutcome(
  ports: Pick<Ports, 'schemas'>,
  task: Holding | undefined,
  outcome: Outcome,
): Promise<Outcome> {
  // What ends for a reason of the platform's, as an approval that was not given, has no result.
  if (outcome.status !== 'completed' || outcome.reason || outcome.isHeld) return outcome
  if (!task?.output_schema) return outcome
  const held = await heldOutput(ports, task, outcome.output)
  if (!held.misfits) return { ...outcome, output: held.output, isHeld: true }
  const message = `The output does not fit the output_schema of its task. ${misfitWords(held.misfits)}`
  const { usage } = outcome
  return { status: 'failed', error: { code: 'output_invalid', message }, ...(usage && { usage }) }
}
