import { agentSteps, taskBytes } from '#src/agents/counted.ts'
import type { Provision, Standing } from '../plan.ts'
import type { Planned } from '../planned.ts'
import type { Applying } from '../provision.ts'
import type { App, AppRevision } from '#src/agents/app/app.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { revisionKept } from '#src/agents/revisions.ts'
import { shownCharacter } from '#src/agents/view.ts'
import type { Context } from '#src/core/context.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { sizeSteps } from '#src/core/counts/size-steps.ts'
import { inPortions, type Steps } from '#src/core/turns/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { timestamp } from '#src/core/time.ts'
import { buried, type Burial } from '#src/core/tombstones.ts'
import { agentChanged, agentMade } from '#src/agents/directory/sync.ts'
import type { Write } from '#src/ports/store.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import { asRead, inOrder, rescheduled } from '#src/agents/tasks/replace-tasks.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

type Needed = Context<'key'>

/** The commit of an apply: all of it or nothing. */
export interface Applied {
  writes: Write[]
  /** By how much the stored bytes of the account grow. */
  bytes: number
  /** To call after the commit: cancels the runs of what was removed. A missed run ends at its next check. */
  finish(): Promise<void>
}

/**
 * What an apply writes, conditional on everything that the decision was based on.
 * @param standing the current state; undefined if the app is new
 * @param prune removes what the manifest does not name
 */
export async function writesOf(
  context: Needed,
  { provision, revision }: Applying,
  standing?: Standing,
  prune = false,
): Promise<Applied> {
  const { app, planned, left } = provision
  const gone = prune ? left : { characters: [], tasks: [], edges: [] }
  const removal = await context.removalOf(context, gone.characters)
  const agents = await agentWrites(context, provision, standing?.tasks ?? [], gone.tasks)
  const kept = { ...revision, agents: agents.revisions }
  const tasksLeft = await tasksGone(context, planned.characters, gone.tasks)
  const writes: Write[] = [
    // First, because it shows whether another writer was faster.
    standing
      ? { in: 'apps', update: bound(standing.app), replace: app }
      : { in: 'apps', insert: app },
    { in: 'app_revisions', insert: kept },
    ...removal.writes,
    ...agents.writes,
    ...planned.tasks.filter(isMoved).map(taskWrite),
    ...tasksLeft.writes,
    ...planned.edges
      .filter(isMoved)
      .map(({ next, previous }): Write =>
        previous
          ? { in: 'edges', update: { id: next.id }, replace: next }
          : { in: 'edges', insert: next },
      ),
    ...gone.edges.map(({ id }): Write => ({ in: 'edges', delete: { id } })),
  ]
  const removed = taskBytes(gone.tasks) + removal.bytes - tasksLeft.bytes
  const { clock } = context
  const grown =
    (await inPortions(sizeSteps(kept), clock)) +
    (await inPortions(grownSteps(planned.characters, agentSteps), clock)) +
    (await inPortions(grownSteps(planned.tasks, taskSteps), clock)) +
    agents.bytes
  return {
    writes,
    bytes: sizeOf(app) - (standing ? sizeOf(standing.app) : 0) + grown - removed,
    async finish() {
      await removal.finish()
      for (const [char_id, own] of Map.groupBy(gone.tasks, (task) => task.char_id)) {
        const $in = own.map(({ task_id }) => task_id)
        await cancelRuns(context, { char_id, task_id: { $in } }, 'task_deleted')
      }
    },
  }
}

/** Deletes tasks of agents that stay; the agent's revision, which is checked, changes with its tasks. */
async function tasksGone(
  { store, clock }: Needed,
  agents: readonly Planned<StoredCharacter>[],
  gone: readonly StoredTask[],
): Promise<Burial> {
  const ofEach = Map.groupBy(gone, ({ char_id }) => char_id)
  const staying = agents.flatMap(({ previous }) =>
    previous && ofEach.has(previous.id) ? [previous] : [],
  )
  const { writes, bytes } = await buried(store, 'characters', staying, clock.now())
  const deleted = staying.map(({ id }): Write => {
    const ids = (ofEach.get(id) ?? []).map((task) => task.id)
    return { in: 'tasks', delete: { id: { $in: ids } } }
  })
  return { writes: [...deleted, ...writes], bytes }
}

function isMoved({ previous, members }: Planned<unknown>): boolean {
  return previous === undefined || members.length > 0
}

function bound({ id, revision, status }: App) {
  return { id, revision, status }
}

function taskWrite({ next, previous }: Planned<StoredTask>): Write {
  return previous
    ? { in: 'tasks', update: asRead(previous), replace: next }
    : { in: 'tasks', insert: next }
}

/** By how much the stored bytes grow with these, each of which is measured in a step or more. */
function* grownSteps<T>(
  all: readonly Planned<T>[],
  bytesOf: (one: T) => Steps<number>,
): Steps<number> {
  let grown = 0
  for (const { next, previous } of all.filter(isMoved)) {
    grown += yield* bytesOf(next)
    if (previous) grown -= yield* bytesOf(previous)
    yield
  }
  return grown
}

// The tasks of an agent are a megabyte at most: one is measured at once.
// oxlint-disable-next-line require-yield
function* taskSteps(task: StoredTask): Steps<number> {
  return taskBytes([task])
}

/**
 * The agents, each with the revision that the change ends. An agent of which only tasks change gets a new
 * revision too, because its text shows the tasks.
 */
async function agentWrites(
  { store, caller, clock, settings }: Needed,
  { planned }: Provision,
  before: readonly StoredTask[],
  removed: readonly StoredTask[],
): Promise<{ writes: Write[]; bytes: number; revisions: Revisions }> {
  const now = clock.now()
  const touched = new Set(removed.map(({ char_id }) => char_id))
  for (const task of planned.tasks) if (isMoved(task)) touched.add(task.next.char_id)
  const there = Map.groupBy(before, ({ char_id }) => char_id)
  const goes = Map.groupBy(removed, ({ char_id }) => char_id)
  const wanted = Map.groupBy(planned.tasks, (one) => one.next.char_id)
  const writes: Write[] = []
  const revisions: Revisions = []
  let bytes = 0
  let left = tasksInOneTurn
  for (const one of planned.characters) {
    const { next, previous } = one
    const { id } = next
    if (!previous) writes.push(...agentMade(next))
    const isTouched = isMoved(one) || touched.has(id)
    const revision = previous && isTouched ? previous.revision + 1 : next.revision
    revisions.push({ id, revision })
    if (!previous || !isTouched) continue
    const moved: StoredCharacter = { ...next, revision, updated_at: timestamp(now) }
    const own = there.get(next.id) ?? []
    left -= own.length + 1
    if (left <= 0) {
      await turnOf(clock)
      left = tasksInOneTurn
    }
    const change = { planned: wanted.get(next.id) ?? [], removed: goes.get(next.id) ?? [] }
    const after = shownCharacter(moved, tasksAfter(own, change))
    const heartbeat = next.heart?.heartbeat_interval
    const isOther = previous.heart?.heartbeat_interval !== heartbeat
    const rescheduling = isOther ? rescheduled(stillOf(own, change), heartbeat, now) : none
    const by = { actor: caller.keyId, now, after }
    const kept = await revisionKept({ store, settings }, previous, own, by)
    writes.push(...agentChanged(previous, moved), ...kept.writes, ...rescheduling.writes)
    bytes += kept.bytes
  }
  return { writes, bytes, revisions }
}

/** Tasks written into revisions of their agents before other work has a turn. */
const tasksInOneTurn = 100

type Revisions = NonNullable<AppRevision['agents']>

const none: { writes: Write[] } = { writes: [] }

/** What an apply does with the tasks of one agent. */
interface TaskChange {
  planned: readonly Planned<StoredTask>[]
  removed: readonly StoredTask[]
}

/** The tasks that stay as they are, so that nothing else writes them. */
function stillOf(before: readonly StoredTask[], { planned, removed }: TaskChange): StoredTask[] {
  const written = new Set(
    [...planned.filter(isMoved).map(({ next }) => next), ...removed].map(({ id }) => id),
  )
  return before.filter(({ id }) => !written.has(id))
}

/** The tasks that an agent will have: those of the manifest, and those that are left and not removed. */
function tasksAfter(before: readonly StoredTask[], { planned, removed }: TaskChange): StoredTask[] {
  const wanted = planned.map(({ next }) => next)
  const settled = new Set([...wanted, ...removed].map(({ id }) => id))
  return inOrder([...wanted, ...before.filter(({ id }) => !settled.has(id))])
}
