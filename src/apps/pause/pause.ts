import type { App } from '#src/agents/app/app.ts'
import { appPauseReason } from '#src/agents/app/pause.ts'
import { isQuorumTask, quorumStays } from '#src/agents/tasks/policy/change.ts'
import { refuseOwnerOnly } from '#src/agents/tasks/policy/owner-only.ts'
import { answer, type Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { emitted } from '#src/events/emit.ts'
import { pauseHappening, pausedByApp } from '#src/runs/schedules/pause.ts'
import { gathered } from '#src/runs/schedules/gathered.ts'
import { onManifest } from '../places.ts'
import { stored, teamOf } from './team.ts'

/**
 * Pauses an app with all of its tasks that are enabled. Those that were paused or switched off before stay so.
 * @throws Refusal `app_not_found`, `forbidden`, `revision_mismatch`, `write_conflict`
 */
export function pauseApp(
  context: Context<'key'>,
  appId: string,
  reason: string,
): Promise<Answer<App>> {
  const attempt = async (): Promise<Answer<App>> => {
    const team = await teamOf(context, appId)
    const { app } = team
    const going = team.tasks.filter(({ enabled }) => enabled)
    if (!context.caller.setsPolicy && going.some(isQuorumTask)) {
      refuseOwnerOnly([quorumStays('/app_id')], context.caller)
    }
    const isAsAsked = app.status === 'paused' && app.pause?.reason === reason
    if (isAsAsked && going.length === 0) return answer(app, { revision: app.revision })
    const now = context.clock.now()
    const why = appPauseReason(appId, reason)
    const writes = await gathered(context, going, async (task) => {
      const { task: next, writes: own } = pausedByApp(task, why, now)
      return [...own, ...(await emitted(context.store, pauseHappening(next, why), now))]
    })
    const at = app.pause?.at ?? timestamp(now)
    const change = { status: 'paused', pause: { reason, at } } as const
    return stored(context, team, change, writes, 'agent_apps.pause')
  }
  return onManifest(context, () => retryUnmet(attempt))
}
