import { pageCharactersAtMost } from '#src/core/page.ts'
import type { Row, Store } from '#src/ports/store.ts'
import { publicTask } from './tasks/replace-tasks.ts'
import type { StoredTask } from './tasks/task.ts'
import type { Character, StoredCharacter } from './character.ts'
import { spliceTasks } from './wire.ts'

/** An agent that was just written, as every later read returns it. */
export function shownCharacter(
  character: StoredCharacter,
  tasks: readonly StoredTask[],
): Character {
  const {
    words: _words,
    hooked: _hooked,
    feed_for: _feedFor,
    settings_secrets: _settings,
    heart,
    ...rest
  } = character
  const shownTasks = tasks.map(publicTask)
  const { id, revision, ...others } = rest
  const settings = heart ?? { heartbeat_interval: null, timezone: null }
  const whole = heart || tasks.length > 0 ? { ...settings, tasks: shownTasks } : null
  return { id, revision, heart: whole, ...others }
}

/**
 * The stored texts of agents with their tasks inserted, read together; if the tasks are large, only
 * for the first agents, as many as a page has room for.
 */
export async function withTasks(store: Pick<Store, 'tasks'>, rows: Row[]): Promise<string[]> {
  const [only, ...others] = rows
  if (only && others.length === 0) {
    const tasks = await store.tasks.text({ char_id: only.id }, { sort: { order: 1 } })
    return [
      spliceTasks(
        only,
        tasks.map((task) => task.text),
      ),
    ]
  }
  const ids = rows.map((row) => row.id)
  const sort = { char_id: 1, order: 1 } as const
  const charactersAtMost = pageCharactersAtMost
  const tasks = await store.tasks.text({ char_id: { $in: ids } }, { sort, charactersAtMost })
  if (lengthOf(tasks) > charactersAtMost) return oneByOne(store, rows)
  const byAgent = Map.groupBy(tasks, (task) => task.id.slice(0, task.id.indexOf('/')))
  return rows.map((row) =>
    spliceTasks(
      row,
      (byAgent.get(row.id) ?? []).map((task) => task.text),
    ),
  )
}

async function oneByOne(store: Pick<Store, 'tasks'>, rows: readonly Row[]): Promise<string[]> {
  const texts: string[] = []
  let characters = 0
  for (const row of rows) {
    const [text = ''] = await withTasks(store, [row])
    characters += text.length
    if (texts.length > 0 && characters > pageCharactersAtMost) break
    texts.push(text)
  }
  return texts
}

function lengthOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0)
}
