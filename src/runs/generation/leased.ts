import type { StoredCharacter } from '#src/agents/character.ts'
import { callerNamed } from '#src/core/credentials/actor.ts'
import { keyActor } from '#src/core/credentials/actor.ts'
import type { Context } from '#src/core/context.ts'
import type { Answer } from '#src/core/answer.ts'
import { Refusal } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import { newRunWithoutTask, publicRun } from '../new-run.ts'
import type { Run, StoredRun } from '../run.ts'
import { fitted } from './fit.ts'
import { answerOf, schemaOf, Subject } from './subject.ts'

/** Queues the writing of a subject as a run that an agent leases, and returns the run. */
export async function queuedForLease(
  context: Context<'key'>,
  character: StoredCharacter,
  subject: Subject,
): Promise<Answer<Run>> {
  const { caller, clock, commit } = context
  await context.quotas.admit('queued_runs', caller)
  const now = clock.now()
  const by = callerNamed(caller)
  const trigger = { type: 'generation', at: timestamp(now), caller: by }
  const insert = newRunWithoutTask(
    character,
    { trigger, input: subject, startedBy: keyActor(caller) },
    now,
  )
  return commit(publicRun(insert), [{ in: 'runs', insert }], { pending: true })
}

/** What a run is to write of its agent's profile; undefined for runs of tasks, which are all others. */
export function subjectOfRun({ task_id, input }: Pick<StoredRun, 'task_id' | 'input'>) {
  return task_id === null ? Subject.safeParse(input).data : undefined
}

/**
 * The output with which a leased run ends: for a run of a task the agent's output as it is, for one that
 * writes a part of a profile the answer that a direct generation would have given.
 * @throws Refusal `invalid_input` if the output is not valid
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
