import type { App } from '#src/agents/app/app.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { answer, type Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { resumed } from '#src/runs/schedules/pause.ts'
import { endHeld, releaseHeld } from '#src/runs/waits/release.ts'
import { gathered } from '#src/runs/schedules/gathered.ts'
import { onManifest } from '../places.ts'
import { stored, teamOf } from './team.ts'

/**
 * Resumes an app with the tasks that were paused with it, and lets go or drops what waits for them.
 * @throws Refusal as `pauseApp`
 */
export async function resumeApp(
  context: Context<'key'>,
  appId: string,
  held: 'run' | 'drop',
): Promise<Answer<App>> {
  const back: StoredTask[] = []
  const attempt = async (): Promise<Answer<App>> => {
    back.length = 0
    const team = await teamOf(context, appId)
    const waiting = team.tasks.filter((task) => task.app_paused && !task.enabled)
    if (team.app.status === 'active') return answer(team.app, { revision: team.app.revision })
    if (held === 'drop') {
      for (const { id, owner_id } of waiting) {
        await endHeld(context, { held: id, owner_id }, 'dropped')
      }
    }
    const now = context.clock.now()
    const writes = await gathered(context, waiting, (task) => {
      const switched = resumed(task, team.heartbeats.get(task.char_id), now)
      back.push(switched.task)
      return Promise.resolve(switched.writes)
    })
    const change = { status: 'active', pause: null } as const
    return stored(context, team, change, writes, 'agent_apps.resume')
  }
  const done = await onManifest(context, () => retryUnmet(attempt))
  for (const task of back) await releaseHeld(context, task)
  return done
}
