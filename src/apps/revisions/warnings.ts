import type { Manifest } from '../manifest.ts'
import type { Provision } from '../plan.ts'
import { call } from '#src/core/words/reference.ts'
import type { Warning } from '#src/core/schema.ts'
import { isPaused } from './task-state.ts'

/** Warnings about effects of an apply that its caller may not expect. */
export function applyWarnings(manifest: Manifest, provision: Provision): Warning[] {
  const { orphaned } = provision.plan
  const paused = [...appPaused(provision), ...pausedWarnings(manifest, provision)]
  if (orphaned.length === 0) return paused
  const message =
    `The manifest no longer names ${orphaned.length} of the app's things, and they stay as they ` +
    'are: plan.orphaned lists them, prune: true removes them.'
  return [...paused, { code: 'orphaned', message }]
}

function appPaused({ app }: Provision): Warning[] {
  if (app.status !== 'paused') return []
  const resume = call('agent_apps.resume', { app_id: app.app_id })
  const message = `The app stays paused, and its new tasks begin so: ${resume} starts it again.`
  return [{ code: 'app_paused', message }]
}

function pausedWarnings(manifest: Manifest, { planned, app }: Provision): Warning[] {
  const byAgent = Map.groupBy(planned.tasks, ({ next }) => next.char_id)
  return manifest.agents.flatMap(({ heart }, a) => {
    // They are in the order of the manifest.
    const tasks = byAgent.get(app.agents[a]?.id ?? '') ?? []
    return tasks.flatMap(({ previous }, t): Warning[] => {
      if (!previous || previous.app_paused || !isPaused(previous)) return []
      if (!heart?.tasks[t]?.enabled) return []
      const reason = previous.reliability?.pause_reason
      const message = `The task stays paused (${reason}): ${call('tasks.resume')} starts it again.`
      return [{ code: 'task_paused', pointer: `/agents/${a}/heart/tasks/${t}/enabled`, message }]
    })
  })
}
