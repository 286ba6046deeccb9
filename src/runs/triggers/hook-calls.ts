import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { digest } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** A signed call of a webhook that has started runs, so that its repeats start none. */
export interface HookCall {
  /** The digest of the task and of what its sender says once. */
  id: string
  owner_id: string
  /** The run that it started. */
  run_id: string
  /** When it is forgotten: a repeat is out of its time by then, or takes a day to come. */
  until: string
}

/** How long a call is known: some senders sign no time, and some repeat a call under its id for hours. */
const knownSeconds = 86_400

/** The id of a call for one of the tasks that it starts. @param once what every repeat of it says again */
export function hookCallId(taskKey: string, verify: string, once: string): string {
  return digest(JSON.stringify([taskKey, verify, once]))
}

/** The write that remembers a call; it fails as `DuplicateKey` where a repeat was faster. */
export function remembering(call: Omit<HookCall, 'until'>, now: Date): Write {
  return { in: 'hook_calls', insert: { ...call, until: secondsAfter(now, knownSeconds) } }
}

/** The runs that these calls have started, by the ids of the calls; those of earlier calls alone. */
export async function startedBefore(
  { hook_calls }: Pick<Store, 'hook_calls'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const known = await hook_calls.find({ id: { $in: ids } })
  return new Map(known.map(({ id, run_id }) => [id, run_id]))
}

/** Forgets calls whose repeats no longer come. */
export const purgeHookCalls: Purge = ({ store }, now) =>
  purgeRows(store.hook_calls, { until: { $lte: timestamp(now) } })
