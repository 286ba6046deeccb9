import { depthAtMost, runsARoot } from '../ending/handoff.ts'
import type { handoffReasons } from './answer.ts'
import { onRequestOnly } from '../schedules/words.ts'

const words: Readonly<Record<(typeof handoffReasons)[number], string>> = {
  no_such_agent: 'There is no such agent.',
  no_such_task: 'The agent has no such task.',
  not_selected: 'The task does not select this connection.',
  not_friends: 'The agents are not friends with the permission run_task.',
  chain_too_deep: `The chain is ${depthAtMost} runs deep.`,
  too_many_runs: `The first run has set off ${runsARoot} runs.`,
  task_disabled: 'The task is disabled.',
  autonomy_manual: onRequestOnly,
  quota: 'The quota runs_a_day of the account is used up.',
  no_listener: 'No task of the agent has a trigger of type message: it lands in the inbox.',
}

/** What becomes of a handoff, in words. */
export function handoffWords(reason: (typeof handoffReasons)[number] | null): string {
  return reason === null ? 'It runs with the result.' : words[reason]
}
