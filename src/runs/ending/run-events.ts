import { isTurnedDown } from '../approvals/verdict.ts'
import { pushBeginning } from '../chat/push/changes.ts'
import type { Ports } from '#src/core/context.ts'
import { DuplicateKey, type Store, type Write } from '#src/ports/store.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { Consequence, Ended } from '../ended.ts'
import { runEvent } from '../events.ts'
import type { StoredRun } from '../run.ts'
import { heardOf, type Subject } from '#src/events/listeners.ts'
import { cut } from '#src/events/shorten.ts'
import { listens } from '#src/events/log/account-log.ts'
import { eventWrite, type Happening } from '#src/events/emit.ts'

const posted = 'feed.post_created'

/**
 * The events that a run has completed or failed; for one that is accepted and ended in one commit, also
 * that it begins. Most runs have no listeners, so events are only built for those that have.
 */
export const runEventsOf: Consequence = ({ store }, ended) => {
  const { owner_id, status } = ended.run
  // Other ends matter to those alone who follow the account.
  const type = endedAs(ended.run) ?? (listens(owner_id) ? `run.${status}` : undefined)
  if (!type || isUntold(ended.run)) return []
  const before = ended.atOnce ? ['before_run'] : []
  const after = ended.post ? [type, posted] : [type]
  return endEvents(store, ended, [...before, ...after])
}

/** A run that writes a part of the profile is only for the owner, as the same is without a run. */
function isUntold({ task_id }: StoredRun): boolean {
  return task_id === null
}

function endedAs(run: StoredRun): 'run.completed' | 'run.failed' | undefined {
  // A rejected run was not executed: the decision is its own event.
  if (run.status === 'completed') return isTurnedDown(run) ? undefined : 'run.completed'
  return run.status === 'failed' || run.status === 'timed_out' ? 'run.failed' : undefined
}

async function endEvents(
  store: Store,
  { run, post, now }: Ended,
  types: readonly string[],
): Promise<Write[]> {
  const heard = await heardOf(store, subjectOf(run), types)
  return types
    .filter((type) => heard.has(type))
    .map((type) => eventWrite(toldAs(type, run, post), now))
}

function toldAs(type: string, run: StoredRun, post: StoredPost | undefined): Happening {
  if (type === 'before_run') return beginning(run)
  return post && type === posted ? posting(run, post) : ending(run, type)
}

/**
 * Tells the hooks of its agent and the push targets of its chat task that work on a run begins: once for
 * each run, regardless of who does the work and how often it is resumed.
 */
export async function tellBeginning(
  ports: Pick<Ports, 'store' | 'clock' | 'wake'>,
  run: StoredRun,
): Promise<void> {
  if (isUntold(run)) return
  await pushBeginning(ports, run)
  const { store, clock } = ports
  const type = 'before_run'
  if (!(await heardOf(store, subjectOf(run), [type])).has(type)) return
  const now = clock.now()
  // The mark has a fixed key, so that it and the event are written once.
  const mark = runEvent(run.id, 'run.hooks_called', now, { event: type })
  const insert = { ...mark, id: `${run.id}.before_run` }
  try {
    await store.commit([{ in: 'run_events', insert }, eventWrite(beginning(run), now)])
  } catch (cause) {
    if (!(cause instanceof DuplicateKey) || cause.in !== 'run_events') throw cause
  }
}

function beginning(run: StoredRun): Happening {
  const input = cut(run.input)
  return {
    ...happeningOf(run, 'before_run'),
    data: { ...about(run), input: input.value, ...(input.isCut && { input_cut: true }) },
  }
}

function ending(run: StoredRun, type: string): Happening {
  const { status, reason, error } = run
  const output = cut(run.output)
  return {
    ...happeningOf(run, type),
    data: {
      ...about(run),
      status,
      reason,
      output: output.value,
      ...(output.isCut && { output_cut: true }),
      error,
    },
  }
}

function posting(run: StoredRun, { id, source, ...post }: StoredPost): Happening {
  const content = cut(post.content)
  return {
    ...happeningOf(run, posted),
    data: {
      ...about(run),
      post_id: id,
      source,
      content: content.value,
      ...(content.isCut && { content_cut: true }),
    },
  }
}

function happeningOf(run: StoredRun, type: string): Omit<Happening, 'data'> {
  return { type, ...subjectOf(run), cause: run }
}

function subjectOf({ owner_id, char_id, app_id }: StoredRun): Subject {
  return { ownerId: owner_id, charId: char_id, appId: app_id }
}

/** The data of every event of a run. */
function about({ id, char_id, task_id, trigger, depth, degraded }: StoredRun) {
  const run = { run_id: id, char_id, task_id, trigger: trigger.type, depth }
  return { ...run, ...(degraded && { degraded }) }
}
