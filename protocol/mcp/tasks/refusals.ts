import { Refusal, type Code } from '#src/core/errors.ts'

/** The refusal for a task that its asker may not see, whether it exists or not. */
export function unknownTask(taskId: string, code: Code = 'run_not_found'): Refusal {
  const message = `None of your calls has become the task "${taskId.slice(0, 100)}".`
  return new Refusal(code, message, {
    hint: 'A task is known by the taskId that its tools/call was answered with, to the account of that call.',
  })
}

/** The refusal of a result that has not come while it was waited for. */
export function notYet(): Refusal {
  return new Refusal('run_under_way', 'The task has not ended yet.', {
    hint: 'Ask for its result again, or for its state by tasks/get.',
  })
}
