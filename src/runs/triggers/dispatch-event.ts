import { appDelivery } from '#src/agents/app/webhook.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { runEvent } from '../events.ts'
import { Chain, stopsAll } from './chain.ts'
import type { PlatformEvent } from '#src/events/event.ts'
import { marked } from '#src/core/text/untrusted.ts'
import { hooked, runOfCause, type Hooked } from './hooks.ts'
import { awaits } from './match.ts'
import { isForTriggers, isForWebhooks } from '#src/events/names.ts'
import { piecesOf } from '#src/core/turns/pieces.ts'

/** Listening tasks that are told in one commit. */
const tasksAtOnce = 100

/** What passing an event on writes. */
export interface Passing {
  writes: Write[]
  /** The last task that was told, where further commits have to tell the rest; else null. */
  told: string | null
  /** What could do nothing, and why, in words. */
  idle: string[]
}

type Needed = Pick<Ports, 'store' | 'clock' | 'quotas' | 'models' | 'sealer'>

/**
 * What an event sets going: runs of the tasks that wait for it, what the hooks of its agent do, and
 * what is owed to the webhook of its app. Where many tasks listen they are told some at a time, the
 * hooks and the webhook with the first.
 * @throws Unavailable
 */
export async function passingOf(ports: Needed, event: PlatformEvent, now: Date): Promise<Passing> {
  const chain = await Chain.of(ports, event)
  const first = event.told === null ? await hooksAndWebhook(ports, event, chain, now) : undefined
  const { writes: runs, told } = await tellTasks(ports, event, chain, now)
  const writes = [...(first?.writes ?? []), ...runs, ...chain.writes()]
  const idle = first?.idle.map(({ hook, reason }) => `${hook.action}: ${reason}`) ?? []
  return { writes, told, idle }
}

/** What the hooks of the agent do, and what the webhook of the app is told. */
async function hooksAndWebhook(
  ports: Needed,
  event: PlatformEvent,
  chain: Chain,
  now: Date,
): Promise<Hooked> {
  const done = await hooked(ports, event, chain, now)
  const notes = await idleNotes(ports, event, done, now)
  const deliveries = await appDeliveries(ports, event, now)
  return { ...done, writes: [...done.writes, ...notes, ...deliveries] }
}

async function appDeliveries(ports: Needed, event: PlatformEvent, now: Date): Promise<Write[]> {
  const { id, type, at, app_id, owner_id, sender } = event
  if (app_id === null || !isForWebhooks(type)) return []
  const app = await ports.store.apps.get(app_id)
  // The id may belong to another account by now.
  if (app?.owner_id !== owner_id) return []
  const data = { ...event.data, ...marked(event.source) }
  const causeRun = event.cause?.id
  const told = { type, data, eventId: id, at, sender, causeRun, now }
  const insert = await appDelivery(ports, app, told)
  return insert ? [{ in: 'deliveries', insert }] : []
}

/** The run that brought the event about shows which hooks could do nothing, if its account is theirs. */
async function idleNotes(
  { store }: Needed,
  { id, type, cause, owner_id }: PlatformEvent,
  { idle }: Hooked,
  now: Date,
): Promise<Write[]> {
  if (idle.length === 0 || !cause) return []
  const [run] = await store.runs.find({ id: cause.id, owner_id }, { limit: 1 })
  if (!run) return []
  return idle.map(({ hook, reason }) => {
    const data = { event_id: id, event: type, action: hook.action, reason }
    return { in: 'run_events', insert: runEvent(run.id, 'hook.dropped', now, data) }
  })
}

async function tellTasks(
  { store, clock }: Needed,
  event: PlatformEvent,
  chain: Chain,
  now: Date,
): Promise<Pick<Passing, 'writes' | 'told'>> {
  if (!isForTriggers(event.type)) return { writes: [], told: null }
  const rest = { reacts: event.owner_id, ...(event.told !== null && { id: { $gt: event.told } }) }
  const rows = await store.tasks.pick(['id'], rest, { sort: { id: 1 }, limit: tasksAtOnce })
  const ids = rows.map(([id]) => String(id))
  const caller = { event_id: event.id, event: event.type, ...runOfCause(event) }
  const trigger = { type: 'event', at: timestamp(now), caller }
  const writes: Write[] = []
  let isOver = ids.length < tasksAtOnce
  for await (const tasks of piecesOf(clock, store.tasks, ids)) {
    for (const task of tasks.filter((one) => awaits(one, event))) {
      const insert = await chain.run(task, 'event', { trigger, input: event.data }, now)
      writes.push({ in: 'runs', insert })
      // The others would be skipped too, and thousands of listeners need no record each.
      if (stopsAll(insert)) isOver = true
    }
  }
  return { writes, told: isOver ? null : (ids.at(-1) ?? null) }
}
