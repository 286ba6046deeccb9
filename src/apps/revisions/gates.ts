import { noticeTo } from '#src/accounts/notice.ts'
import { gateMembersChanged, gateNotices, type Changed } from '#src/agents/tasks/policy/recorded.ts'
import type { Context } from '#src/core/context.ts'
import { call } from '#src/core/words/reference.ts'
import type { Write } from '#src/ports/store.ts'
import type { Applying } from '../provision.ts'

/** How many changed gates are named. */
const namedAtMost = 100
const toldAtMost = 20

/**
 * What an apply changes of the gates of tasks that exist: the notice to the owner, and the names for the record of
 * it, as `agent/task/member`. A manifest has up to a thousand tasks, so all of them are one notice.
 */
export function gatesOf(
  { clock }: Pick<Context, 'clock'>,
  { provision: { app, planned, left } }: Applying,
  prune: boolean,
): { changed: string[]; writes: Write[] } {
  const moved = planned.tasks.filter(({ members }) => members.length > 0)
  const all: Changed[] = [
    ...moved.map(({ previous, next }) => ({ before: previous, after: next })),
    ...(prune ? left.tasks.map((before) => ({ before })) : []),
  ].filter((one) => gateMembersChanged(one).length > 0)
  const changed = all.flatMap((one) =>
    gateMembersChanged(one).map((name) => `${nameOf(one)}/${name}`),
  )
  const shown = changed.slice(0, namedAtMost)
  if (all.length < 2) return { changed: shown, writes: gateNotices(all, clock.now()) }
  const names = all.slice(0, toldAtMost).map((one) => `"${nameOf(one)}"`)
  const more = all.length > toldAtMost ? ` and ${all.length - toldAtMost} more` : ''
  const message = `The manifest of the app "${app.app_id}" changed what guards ${all.length} tasks: ${names.join(', ')}${more}. ${call('account.audit')} says who did it.`
  return {
    changed: shown,
    writes: [noticeTo(app.owner_id, 'gate.changed', message, {}, clock.now())],
  }
}

function nameOf({ before }: Changed): string {
  return `${before?.char_id ?? ''}/${before?.task_id ?? ''}`
}
