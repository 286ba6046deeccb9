import { agentOperations } from '#src/catalog/agent-pages.ts'
import { answered, type Terms } from '../ask.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { agentOf, agentView } from './frame.ts'
import { runFields } from './lines.ts'
import { taskView, type WholeTask } from './task-views.ts'

const runsShown = 10

/** A task: what it does, when it comes, and how it went. */
export function taskScreen(terms: Terms, id: string, taskId: string): ConsoleScreen {
  return {
    here: terms.paths.agent(id, ['tasks', taskId]),
    async show(_, looking) {
      const [agent, whole] = await Promise.all([agentOf(looking, id), wholeOf(looking, id, taskId)])
      const main = taskView(looking, whole)
      return agentView(looking, agent, { part: 'tasks', about: 'A task', main })
    },
  }
}

async function wholeOf(
  { terms, as }: Looking,
  char_id: string,
  task_id: string,
): Promise<WholeTask> {
  const place = { char_id, task_id }
  const { tasks, runs } = agentOperations
  const few = { ...place, limit: runsShown, ...runFields }
  const [task, schedule, newest] = await Promise.all([
    answered(terms, tasks.get, place, as),
    answered(terms, tasks.schedule, place, as),
    answered(terms, runs.list, few, as),
  ])
  return { task, schedule, runs: newest.items }
}
