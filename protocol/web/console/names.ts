import { taskKey } from '#src/agents/tasks/task.ts'
import type { Picked } from '#src/ports/store.ts'
import { name } from '#src/views/parts.ts'
import type { Html } from '#src/core/html/html.ts'
import type { Looking } from './reader.ts'

/** The names of agents by their ids, and of tasks by their keys. */
export class Names {
  readonly #names: ReadonlyMap<string, string>
  readonly #tasks: ReadonlyMap<string, string>

  constructor(names: ReadonlyMap<string, string>, tasks: ReadonlyMap<string, string> = new Map()) {
    this.#names = names
    this.#tasks = tasks
  }

  /** The name; undefined for an agent that has none any more. */
  known(id: string): string | undefined {
    return this.#names.get(id)
  }

  /** The name of a task; undefined where it is gone, or was not asked for. */
  task(charId: string, taskId: string): string | undefined {
    return this.#tasks.get(taskKey(charId, taskId))
  }

  /** The name, or the id of an agent that has none any more. */
  of(id: string): Html {
    return name(this.#names.get(id) ?? id)
  }
}

/** The names of those agents that the account may see: its own, and those of others that are not private. */
export async function namesOf(
  { terms: { store }, account }: Pick<Looking, 'terms'> & { account: { id: string } },
  ids: readonly string[],
): Promise<Names> {
  const some = [...new Set(ids)]
  if (some.length === 0) return new Names(new Map())
  const paths = ['id', 'name', 'owner_id', 'visibility.profile_visibility'] as const
  const rows = await store.characters.pick(paths, { id: { $in: some } })
  const seen = rows.filter(
    ([, , owner, level]) => owner === account.id || shownLevels.has(String(level)),
  )
  return new Names(called(seen))
}

/** Whose profile is shown to others, at least by its address. */
const shownLevels: ReadonlySet<string> = new Set(['public', 'unlisted'])

/** The names of the account's agents and tasks that did some work. */
export async function namesOfWork(
  { terms: { store }, account }: Pick<Looking, 'terms'> & { account: { id: string } },
  work: readonly { char_id: string; task_id?: string | null | undefined }[],
): Promise<Names> {
  const own = { owner_id: account.id }
  const keys = work.flatMap(({ char_id, task_id }) => (task_id ? [taskKey(char_id, task_id)] : []))
  const ids = work.map(({ char_id }) => char_id)
  const [agents, tasks] = await Promise.all([
    store.characters.pick(['id', 'name'], { id: { $in: [...new Set(ids)] }, ...own }),
    store.tasks.pick(['id', 'name'], { id: { $in: [...new Set(keys)] }, ...own }),
  ])
  return new Names(called(agents), called(tasks))
}

function called(rows: readonly Picked[]): ReadonlyMap<string, string> {
  return new Map(rows.map(([id, name]) => [String(id), String(name)]))
}
