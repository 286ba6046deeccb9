import { needOperations } from '#src/catalog/need-pages.ts'
import { runOperations } from '#src/catalog/run-pages.ts'
import { scheduleOperations } from '#src/catalog/schedule-pages.ts'
import type { Showing, ViewCall } from '#src/views/view.ts'
import { newOnce } from '../once.ts'
import type { Paths } from '../paths.ts'
import { Names } from './names.ts'
import type { Looking } from './reader.ts'

/** What a view is told where it stands on a page of the console. @param input that of the call whose answer it shows */
export function showingOf(
  { terms: { paths }, at }: Looking,
  { input = {}, names = new Names(new Map()) }: { input?: Showing['input']; names?: Names } = {},
): Showing {
  return {
    ...at,
    input,
    once: newOnce(),
    link: (path) => paths.address(path),
    agent: (id) => names.known(id),
    task: (charId, taskId) => names.task(charId, taskId),
    page: (call) => pageOf(paths, call),
  }
}

type Texts = Readonly<Record<string, string>>
type Address = (paths: Paths, input: Texts) => string | undefined

const { agents, approvals, teams } = needOperations

/** Which page shows the answer of an operation. */
const pages: ReadonlyMap<string, Address> = new Map<string, Address>([
  [runOperations.get.name, (paths, { run_id }) => run_id && paths.run(run_id)],
  [runOperations.events.name, (paths, { run_id }) => run_id && paths.run(run_id)],
  [scheduleOperations.calendar.name, (paths, input) => paths.schedule(input)],
  [
    scheduleOperations.schedule.name,
    (paths, { char_id, task_id }) => char_id && task_id && paths.agent(char_id, ['tasks', task_id]),
  ],
  [runOperations.list.name, (paths, { root_run_id }) => root_run_id && paths.run(root_run_id)],
  ...[approvals.get, approvals.decide].map(
    ({ name }) =>
      [name, (paths: Paths, { approval_id: id }: Texts) => id && paths.approval(id)] as const,
  ),
  ...[agents.get, agents.setSecrets].map(
    ({ name }) =>
      [name, (paths: Paths, { char_id }: Texts) => char_id && paths.agent(char_id)] as const,
  ),
  ...[teams.get, teams.update].map(
    ({ name }) =>
      [name, (paths: Paths, { app_id }: Texts) => app_id && paths.team(app_id)] as const,
  ),
])

function pageOf(paths: Paths, { operation, input }: ViewCall): string | undefined {
  const texts = Object.entries(input).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return pages.get(operation)?.(paths, Object.fromEntries(texts))
}
