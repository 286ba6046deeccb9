import type { StoredCharacter } from '#src/agents/character.ts'
import type { Context } from '#src/core/context.ts'
import type { Answer } from '#src/core/answer.ts'
import { Refusal } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import { newRunWithoutTask, publicRun } from '../new-run.ts'
import type { Run, StoredRun } from '../run.ts'
import { fitted } from './fit.ts'
import { answerOf, schemaOf, Subject } from './subject.ts'

/** Queues the writing of a subject as a run that an agent leases, and answers the run. */
export async function queuedForLease(
  context: Context<'key'>,
  character: StoredCharacter,
  subject: Subject,
): Promise<Answer<Run>> {
  const { caller, clock, commit } = context
  await context.quotas.admit('queued_runs', caller)
  const now = clock.now()
  const by = { key_id: caller.keyId, ...(caller.charId && { char_id: caller.charId }) }
  const trigger = { type: 'generation', at: timestamp(now), caller: by }
  const insert = newRunWithoutTask(character, { trigger, input: subject }, now)
  return commit(publicRun(insert), [{ in: 'runs', insert }], { pending: true })
}

/** What a run is to write of its agent's profile; undefined for runs of tasks, which are all others. */
export function subjectOfRun({ task_id, input }: Pick<StoredRun, 'task_id' | 'input'>) {
  return task_id === null ? Subject.safeParse(input).data : undefined
}

/**
 * What a run ends with whose agent brings this output: for a run of a task the output as it is, for
 * one that writes a part of a profile what the caller of the generation would have been answered.
 * @throws Refusal `invalid_input` when it does not fit
 */
export function outputOf(run: StoredRun, output: unknown): unknown {
  const subject = subjectOfRun(run)
  if (!subject) return output
  const { value, faults } = fitted(schemaOf(subject), output)
  if (!faults) return answerOf(subject, value)
  const errors = faults.map((fault) => ({ ...fault, pointer: `/output${fault.pointer}` }))
  const [first] = errors
  throw new Refusal('invalid_input', `${first?.pointer.slice(1)}: ${first?.message}`, {
    errors,
    hint: 'The prompt of the lease has the JSON Schema of the output. The lease still holds.',
  })
}
