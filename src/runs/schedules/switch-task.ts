import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { mustBe, retryUnmet } from '#src/core/revision.ts'
import type { Write } from '#src/ports/store.ts'
import { ownTask } from '#src/agents/tasks/access.ts'
import { publicTask } from '#src/agents/tasks/replace-tasks.ts'
import type { StoredTask, Task } from '#src/agents/tasks/task.ts'
import type { Switched } from './pause.ts'

/** Which task, by the input of the operation. */
interface Place {
  char_id: string
  task_id: string
}

/**
 * Pauses, resumes or otherwise switches a task of the caller, and answers its new state.
 * @param decide what it becomes, and as `also` what the same commit writes besides the task
 * @throws Refusal `character_not_found`, `task_not_found`, `forbidden`, `revision_mismatch`,
 *   `write_conflict`, and those of `decide`
 */
export function switchTask(
  context: Context<'key'>,
  { char_id, task_id }: Place,
  decide: (task: StoredTask, now: Date) => Promise<Switched & { also?: readonly Write[] }>,
): Promise<Answer<Task>> {
  return retryUnmet(async () => {
    const previous = await ownTask(context, char_id, task_id)
    mustBe(previous.revision, context.expected)
    const { task, writes, also = [] } = await decide(previous, context.clock.now())
    return context.commit(publicTask(task), [...writes, ...also], { revision: task.revision })
  })
}
