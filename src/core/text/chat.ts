import { call } from '../words/reference.ts'

/** The words of `unauthenticated` for a list of tasks that others on the same network may have sent. */
export const contextNeeded = 'Without an API key, name the contextId of your tasks.'

/** Where the ids of tasks are. The method is one of version 1.0, which clients of 0.3 may call too. */
export const listsTasks =
  'ListTasks, sent with the header "A2A-Version: 1.0", lists the tasks that you may see.'

/** That messages have started no task with this id, in words. */
export function noTaskWords(id: string): string {
  return `There is no task "${id}".`
}

/** What is left to do with a task that has ended. */
export const afterEnd =
  'It stays as it is: GetTask (tasks/get in 0.3) reads how it ended, and a message without a taskId starts another.'

/** What to call where an id of no task may be that of a run, which is another thing. */
export function runInstead(id: string): string | undefined {
  if (!/^run_[0-9a-f]{1,64}$/.test(id)) return undefined
  const of = { run_id: id }
  return `It may be a run: ${call('runs.get', of)} reads that, and ${call('runs.cancel', of)} cancels it.`
}
