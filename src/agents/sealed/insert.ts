import type { StoredTask } from '../tasks/task.ts'
import type { TaskTool } from '../tasks/tool.ts'
import { secretsAt, toolPlaces, type SettingPlace } from './places.ts'

/** Replaces masks with their secrets, by their pointers. @returns the secrets inserted */
export function insert(
  places: readonly SettingPlace[],
  secrets: Readonly<Record<string, string>>,
): string[] {
  return secretsAt(places).flatMap(({ holder, name, pointer }) => {
    const secret = secrets[pointer]
    if (secret === undefined) return []
    holder[name] = secret
    return [secret]
  })
}

/** The tools of a stored task with their secrets in place of the masks, and the secrets inserted. */
export function toolsWith(
  task: Pick<StoredTask, 'tools'>,
  secrets: Readonly<Record<string, string>>,
): { tools: TaskTool[]; given: string[] } {
  const tools = structuredClone(task.tools)
  return { tools, given: insert(toolPlaces({ tools }), secrets) }
}
