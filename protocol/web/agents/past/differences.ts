import { platformMembersOfCharacter, type Character } from '#src/agents/character.ts'
import { changedMembers } from '#src/agents/revisions.ts'
import { platformMembersOfTask, type Task } from '#src/agents/tasks/task.ts'
import { readable } from '#protocol/web/console/readable.ts'

/** A part of an agent that was another, as texts to be compared. */
export interface Difference {
  /** What it is of: a member of the agent, or one of its tasks. */
  member: string
  /** The task, by its name. */
  task?: string
  now: string
  was: string
}

/** What restoring an agent would change: by members, and by tasks of which each is a part of its own. */
export function differencesOf(now: Character, was: Character): Difference[] {
  const kept: ReadonlySet<string> = new Set(platformMembersOfCharacter)
  const all = changedMembers(now, was).flatMap((member) => {
    if (kept.has(member)) return []
    if (member === 'heart') return ofHeart(now.heart, was.heart)
    return [{ member, now: readable(now[member]), was: readable(was[member]) }]
  })
  return all.filter((one) => one.now !== one.was)
}

function ofHeart(now: Character['heart'], was: Character['heart']): Difference[] {
  const rhythm = { member: 'rhythm', now: rhythmText(now), was: rhythmText(was) }
  const were = new Map(was?.tasks.map((task) => [task.task_id, task]))
  const are = new Map(now?.tasks.map((task) => [task.task_id, task]))
  const tasks = [...new Set([...are.keys(), ...were.keys()])].map((id): Difference => {
    const [is, before] = [are.get(id), were.get(id)]
    const task = (is ?? before)?.name ?? id
    return { member: 'task', task, now: taskText(is), was: taskText(before) }
  })
  return [rhythm, ...tasks]
}

function rhythmText(heart: Character['heart']): string {
  const { tasks: _tasks, ...rhythm } = heart ?? { tasks: [] }
  return readable(rhythm)
}

const ofPlatform: ReadonlySet<string> = new Set<string>([
  ...platformMembersOfTask,
  'rating_summary',
])

function taskText(task: Task | undefined): string {
  if (!task) return ''
  const own = Object.entries(task).filter(([member]) => !ofPlatform.has(member))
  return readable(Object.fromEntries(own))
}
