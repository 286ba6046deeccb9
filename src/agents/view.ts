import { pageCharactersAtMost } from '#src/core/page.ts'
import { charactersAtMost, lengthOf, restInPieces } from '#src/core/turns/pieces.ts'
import type { Row, Store } from '#src/ports/store.ts'
import { mayActFor, noReach, type Reach } from './access.ts'
import { publicTask } from './tasks/replace-tasks.ts'
import type { StoredTask } from './tasks/task.ts'
import { taskTexts, tasksOfOne, type TaskSource } from './tasks/tasks-of.ts'
import type { Character, StoredCharacter } from './character.ts'
import type { AgentTexts } from './copies/copyist.ts'
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
    friends_private: _friends,
    settings_secrets: _settings,
    by_agent: _byAgent,
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
 * The stored text of one of the caller's agents, and the same with its tasks inserted: both of one moment.
 * @throws Refusal `character_not_found`, `forbidden`
 */
export async function ownWithTasks(
  source: Reach & Pick<TaskSource, 'clock'>,
  charId: string,
): Promise<{ row: Row; text: string }> {
  const { store, clock, caller } = source
  if (!mayActFor(caller, charId)) return noReach(source, charId)
  const filter = { id: charId, owner_id: caller.accountId }
  const [[row] = [], first = []] = await store.texts([
    { in: 'characters', filter, options: { limit: 1 } },
    tasksOfOne(charId),
  ])
  if (!row) return noReach(source, charId)
  const tasks = await restInPieces(clock, store.tasks, first, {
    key: charId,
    ...tasksOfOne(charId),
  })
  return { row, text: spliceTasks(row, textsOf(tasks)) }
}

function textsOf(rows: readonly Row[]): string[] {
  return rows.map(({ text }) => text)
}

/**
 * The stored texts of agents with their tasks inserted, read together; if the tasks are large, only
 * for the first agents, as many as a page has room for.
 */
export async function withTasks(source: TaskSource, rows: Row[]): Promise<string[]> {
  const { store } = source
  const [only, ...others] = rows
  if (only && others.length === 0) return [spliceTasks(only, await taskTexts(source, only.id))]
  const ids = rows.map((row) => row.id)
  const sort = { char_id: 1, order: 1 } as const
  const tasks = await store.tasks.text({ char_id: { $in: ids } }, { sort, charactersAtMost })
  if (lengthOf(tasks) > charactersAtMost) return oneByOne(source, rows)
  const byAgent = Map.groupBy(tasks, (task) => task.id.slice(0, task.id.indexOf('/')))
  return rows.map((row) => spliceTasks(row, textsOf(byAgent.get(row.id) ?? [])))
}

async function oneByOne(source: TaskSource, rows: readonly Row[]): Promise<string[]> {
  const texts: string[] = []
  let characters = 0
  for (const row of rows) {
    const [text = ''] = await withTasks(source, [row])
    characters += text.length
    if (texts.length > 0 && characters > pageCharactersAtMost) break
    texts.push(text)
  }
  return texts
}

/** A stored agent with its tasks, to be copied or exported away from the event loop. */
export async function agentTexts(
  source: TaskSource & { store: Pick<Store, 'characters'> },
  { id, text }: Row,
): Promise<AgentTexts> {
  const marked = { id, friends_private: true } as const
  const [isPrivate] = await source.store.characters.pick(['id'], marked, { limit: 1 })
  const tasks = await taskTexts(source, id)
  return { agent: text, ...(isPrivate && { friends_private: true }), tasks }
}
