import { newId } from '#src/core/ids.ts'
import type { Sealer } from '#src/core/seal.ts'
import { timestamp } from '#src/core/time.ts'
import { buried, firstRevisions, type Burial } from '#src/core/tombstones.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { dueAt } from './schedule/next-due.ts'
import { isHeartbeatTask } from './heartbeat.ts'
import { isOwner, refuseOwnerOnly, strayFaults, type Author } from './policy/owner-only.ts'
import { ownersSends } from './policy/owner-sends.ts'
import { membersByAgent } from './policy/provenance.ts'
import type { TaskSecrets } from './secrets.ts'
import { pausedWithApp } from '../app/pause.ts'
import { taskFrom } from './stored-task.ts'
import { taskKey, type StoredTask, type Task, type TaskInput } from './task.ts'

/** The agent that owns a task. */
export interface TaskOwner {
  charId: string
  ownerId: string
  appId: string | null
  /** Its heartbeat_interval. */
  heartbeat?: string | null | undefined
  /** Why new tasks of its app begin paused, if they do. */
  pause?: string | undefined
}

/** The secrets of a stored task's triggers and tools. */
export function secretsOf(
  task: Pick<StoredTask, 'id' | 'trigger_secrets'>,
  sealer: Pick<Sealer, 'open'>,
): TaskSecrets {
  if (task.trigger_secrets === null) return {}
  const text = sealer.open(task.trigger_secrets, { id: task.id, purpose: 'trigger_secrets' })
  // What `sealedForTask` sealed.
  return JSON.parse(text) as TaskSecrets
}

export interface KeepOptions {
  /** The task that it replaces. */
  previous?: StoredTask | undefined
  /** The pointer of the task in the input; empty if it is the whole input. */
  pointer?: string
  /** The revision at which a new one with this key begins. */
  firstRevision?: (key: string) => number
  /** Who writes it; its owner by default. */
  author?: Author | undefined
  /** Its gate is inherited from another task. */
  inheritsGate?: boolean
}

/**
 * A task ready to be stored, with the secrets of its triggers and tools sealed.
 * @throws Refusal `invalid_input` for a masked secret where none is stored; `owner_only` if a key that
 *   acts as the agent would send a stored one to another origin
 */
export function keptTask(
  input: TaskInput,
  owner: TaskOwner,
  now: Date,
  sealer: Sealer,
  options: KeepOptions = {},
): StoredTask {
  const { previous, pointer, firstRevision, author, inheritsGate } = options
  const made = taskFrom(input, {
    ...owner,
    taskId: previous?.task_id ?? input.task_id ?? newId('tsk'),
    now: timestamp(now),
    previous: previous && { task: previous, secrets: secretsOf(previous, sealer) },
    ...(pointer !== undefined && { pointer }),
  })
  const { secrets, strayed } = made
  // The right to set where a secret goes does not include the right to learn it.
  if (author && !isOwner(author)) refuseOwnerOnly(strayFaults(strayed), author)
  const isBack = !previous && firstRevision
  const whole = isBack ? { ...made.task, revision: firstRevision(made.task.id) } : made.task
  const begun = previous || !owner.pause ? whole : pausedWithApp(whole, owner.pause)
  const byAgent = membersByAgent(author, previous, begun, inheritsGate)
  const sends = ownersSends({ author, previous, next: begun }, (task) => secretsOf(task, sealer))
  const task = {
    ...begun,
    ...(byAgent.length > 0 && { by_agent: byAgent }),
    ...(sends.length > 0 && { owner_sends: sends }),
  }
  if (Object.keys(secrets).length === 0) return task
  return { ...task, trigger_secrets: sealedForTask(task.id, secrets, sealer) }
}

/** The secrets of a task, sealed for the record with this key. */
export function sealedForTask(
  id: string,
  secrets: TaskSecrets,
  sealer: Pick<Sealer, 'seal'>,
): string {
  return sealer.seal(JSON.stringify(secrets), { id, purpose: 'trigger_secrets' })
}

/** The task as the wire shows it. */
export function publicTask(task: StoredTask): Task {
  const {
    id: _id,
    owner_id: _owner,
    app_id: _app,
    trigger_secrets: _secrets,
    due_at: _due,
    disabled_until: _disabledUntil,
    last_fire: _lastFire,
    reacts: _reacts,
    awaited_calls: _awaitedCalls,
    waiting_run: _waitingRun,
    fire_counts: _fireCounts,
    rating_sum: _ratingSum,
    by_agent: _byAgent,
    owner_sends: _ownerSends,
    app_paused: _appPaused,
    ...shown
  } = task
  return shown
}

/** How the tasks of a heart are stored, and who writes them. */
export interface Keeping {
  sealer: Sealer
  store: Store
  /** The owner by default. */
  author?: Author | undefined
  /** The inputs whose gate is inherited from another task. */
  inheriting?: ReadonlySet<TaskInput> | undefined
  /** Of the agent as it was read, if it has tasks already. */
  revision?: number
}

/**
 * Replaces the stored tasks by a heart's list of tasks, matched by task_id. Tasks that are missing
 * from the list are deleted, and their runs kept. The bytes are those of the records of deleted tasks.
 */
export async function replacingTasks(
  existing: readonly StoredTask[],
  inputs: readonly TaskInput[],
  owner: TaskOwner,
  now: Date,
  { sealer, store, author, inheriting, revision = 0 }: Keeping,
): Promise<{ tasks: StoredTask[] } & Burial> {
  const left = new Map(existing.map((task) => [task.task_id, task]))
  const named = inputs.flatMap(({ task_id }) => (task_id === null ? [] : [task_id]))
  const added = named.filter((id) => !left.has(id)).map((id) => taskKey(owner.charId, id))
  const firstRevision = await firstRevisions(store, 'tasks', added)
  const tasks: StoredTask[] = []
  const writes: Write[] = []
  for (const [i, input] of inputs.entries()) {
    const previous = input.task_id === null ? undefined : left.get(input.task_id)
    const pointer = `/heart/tasks/${i}`
    const inheritsGate = inheriting?.has(input) ?? false
    const options = { previous, pointer, firstRevision, author, inheritsGate }
    const task = keptTask(input, owner, now, sealer, options)
    if (previous) left.delete(previous.task_id)
    tasks.push(task)
    writes.push(
      previous
        ? { in: 'tasks', update: asRead(previous), replace: task }
        : { in: 'tasks', insert: task },
    )
  }
  for (const task of left.values()) writes.push({ in: 'tasks', delete: { id: task.id } })
  const agent = { id: owner.charId, revision, owner_id: owner.ownerId }
  const burial = await buried(store, 'characters', left.size > 0 ? [agent] : [], now)
  return { tasks: inOrder(tasks), writes: [...writes, ...burial.writes], bytes: burial.bytes }
}

/**
 * The filter of a task as it was read. It names what is due and the ratings, because a fire of its
 * schedule or a rating changes these and not the revision.
 */
export function asRead({
  id,
  char_id,
  revision,
  due_at,
  rating_sum,
  rating_summary,
}: StoredTask): Filter<StoredTask> {
  // Tasks that are older than schedules and ratings lack these members.
  return {
    id,
    char_id,
    revision,
    due_at: due_at ?? null,
    rating_sum: rating_sum ?? null,
    'rating_summary.count': rating_summary?.count ?? null,
  }
}

/**
 * The unchanged tasks of an agent whose heartbeat changes, newly scheduled, and their writes.
 */
export function rescheduled(
  tasks: readonly StoredTask[],
  heartbeat: string | null | undefined,
  now: Date,
): { tasks: StoredTask[] } & Burial {
  const writes: Write[] = []
  const after = tasks.map((task) => {
    if (!isHeartbeatTask(task)) return task
    const due_at = dueAt(task, heartbeat, now.getTime(), task)
    if (due_at === task.due_at) return task
    writes.push({ in: 'tasks', update: asRead(task), change: { $set: { due_at } } })
    return { ...task, due_at }
  })
  return { tasks: after, writes, bytes: 0 }
}

/** In the order of every read: by `order`, then by id. */
export function inOrder(tasks: readonly StoredTask[]): StoredTask[] {
  return [...tasks].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
}
