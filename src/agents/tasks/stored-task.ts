import { freeMaps } from '#src/core/schema-parts.ts'
import { isMap } from '#src/core/maps.ts'
import { merge } from '#src/core/merge.ts'
import { takeTools } from '../sealed/take.ts'
import { disabledUntil, dueAt } from './schedule/next-due.ts'
import { takeSecrets, type TaskSecrets } from './secrets.ts'
import { taskKey, type StoredTask, type TaskInput } from './task.ts'
import { callsOf } from './calls.ts'

export interface TaskPlace {
  charId: string
  ownerId: string
  appId: string | null
  taskId: string
  /** RFC 3339. */
  now: string
  /** The task that is replaced, with its secrets unsealed. */
  previous?: { task: StoredTask; secrets: Readonly<TaskSecrets> } | undefined
  /** The pointer of the task in the input; empty if it is the whole input. */
  pointer?: string
  /** The heartbeat_interval of its agent, which runs the task called heartbeat. */
  heartbeat?: string | null | undefined
}

/** A task to store, and the secrets removed from it. */
export interface TakenTask {
  task: StoredTask
  secrets: TaskSecrets
  /** Pointers of stored secrets that would go to another origin than they were set for. */
  strayed: string[]
}

/**
 * A task as stored: its secrets are separate and still to be sealed into `trigger_secrets`, and the
 * members that only the platform sets are those of the task it replaces.
 * @throws Refusal `invalid_input` for a masked secret where none is stored
 */
export function taskFrom(input: TaskInput, place: TaskPlace): TakenTask {
  const { charId, taskId, ownerId, appId, now } = place
  const previous = place.previous?.task
  const kept = place.previous && {
    triggers: place.previous.task.triggers,
    secrets: place.previous.secrets,
  }
  const at = place.pointer ?? ''
  const { triggers, secrets } = takeSecrets(input.triggers, kept, at)
  const tooled = takeTools(input, place.previous, at)
  const { order, name, ...rest } = withoutPlatformMembers(tooled.task)
  const task: StoredTask = {
    // The order of the first members matters: stored text is recognized by its beginning.
    task_id: taskId,
    char_id: charId,
    revision: (previous?.revision ?? 0) + 1,
    order,
    name,
    ...rest,
    triggers,
    rating_summary: previous?.rating_summary ?? null,
    reliability: input.reliability && {
      ...input.reliability,
      // Enabling a task clears its pause reason.
      pause_reason: input.enabled ? null : (previous?.reliability?.pause_reason ?? null),
    },
    created_at: previous?.created_at ?? now,
    updated_at: now,
    id: taskKey(charId, taskId),
    owner_id: ownerId,
    app_id: previous ? previous.app_id : appId,
    trigger_secrets: null,
    due_at: null,
    reacts: triggers.some(({ type, enabled }) => type === 'event' && enabled) ? ownerId : null,
    awaited_calls: callsOf({ name, triggers }),
    waiting_run: previous?.waiting_run ?? null,
    ...(previous?.last_fire !== undefined && { last_fire: previous.last_fire }),
    ...(previous?.fire_counts && { fire_counts: previous.fire_counts }),
    ...(previous?.rating_sum != null && { rating_sum: previous.rating_sum }),
    ...(previous?.app_paused && !input.enabled && { app_paused: true }),
  }
  task.due_at = dueAt(task, place.heartbeat, Date.parse(now), previous)
  const until = disabledUntil(task, Date.parse(now), previous)
  if (until !== null) task.disabled_until = until
  return { task, secrets: { ...secrets, ...tooled.secrets }, strayed: tooled.strayed }
}

function withoutPlatformMembers(input: TaskInput) {
  const {
    task_id: _taskId,
    id: _id,
    char_id: _charId,
    owner_id: _ownerId,
    app_id: _appId,
    revision: _revision,
    trigger_secrets: _triggerSecrets,
    due_at: _dueAt,
    disabled_until: _disabledUntil,
    last_fire: _lastFire,
    reacts: _reacts,
    awaited_calls: _awaitedCalls,
    waiting_run: _waitingRun,
    fire_counts: _fireCounts,
    rating_sum: _ratingSum,
    by_agent: _byAgent,
    app_paused: _appPaused,
    created_at: _createdAt,
    updated_at: _updatedAt,
    warnings: _warnings,
    ...rest
  } = input
  return rest
}

/** A stored task with a patch applied, to be checked as a whole: `TaskInput` parses it. */
export function patchedTask(task: StoredTask, patch: unknown): unknown {
  const merged = merge(task, patch, freeMaps)
  // Two schemas merged would be a third one, which no one wrote.
  const isSent = isMap(patch) && patch['output_schema'] !== undefined
  return isSent && isMap(merged) ? { ...merged, output_schema: patch['output_schema'] } : merged
}
