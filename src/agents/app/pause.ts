import type { Store } from '#src/ports/store.ts'
import { TaskReliability } from '../tasks/reliability.ts'
import type { StoredTask } from '../tasks/task.ts'

/** What the tasks of a paused app show as their reason. */
export function appPauseReason(appId: string, reason: string): string {
  return `The app "${appId}" is paused: ${reason}`
}

/** Why new tasks of this app begin paused, in words; undefined where they do not. */
export async function pauseOfApp(
  { apps }: Pick<Store, 'apps'>,
  appId: string | null,
): Promise<string | undefined> {
  if (appId === null) return undefined
  const [row] = await apps.pick(['pause.reason'], { id: appId, status: 'paused' })
  return row && appPauseReason(appId, String(row[0]))
}

const pausedWithAgent = 'Paused with the agent: '

/** What the tasks of a paused agent show as their reason, by which they are known. */
export function agentPauseReason(reason: string): string {
  return pausedWithAgent + reason
}

/** Whether a task was paused with all others of its agent, and not by itself since. */
export function isPausedWithAgent({
  enabled,
  reliability,
}: Pick<StoredTask, 'enabled' | 'reliability'>): boolean {
  return !enabled && reliability?.pause_reason?.startsWith(pausedWithAgent) === true
}

/** The task paused with its app, if it is enabled: what resumes the app resumes it. */
export function pausedWithApp(task: StoredTask, pause_reason: string): StoredTask {
  if (!task.enabled) return task
  const reliability = { ...(task.reliability ?? TaskReliability.parse({})), pause_reason }
  return { ...task, enabled: false, reliability, app_paused: true }
}
