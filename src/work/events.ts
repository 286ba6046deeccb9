import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { PlatformEvent } from '#src/events/event.ts'
import { inTurn } from '#src/core/turns/in-turn.ts'
import { logged } from '#src/events/log/entry.ts'
import { listens } from '#src/events/log/account-log.ts'
import { passingOf, type Passing } from '#src/runs/triggers/dispatch-event.ts'
import { DuplicateKey, Unavailable, Unmet, type Write } from '#src/ports/store.ts'
import { InTurn } from './turns/in-turn.ts'
import { eventStep } from './turns/steps.ts'

/** Events passed on at a time: in all, of one account and of one agent. */
const dueAtOnce = 64
const dueOfOneAccount = 16
const dueOfOneAgent = 4
/** How often an event is decided again because something that it depends on has changed. */
const decisionsAtMost = 20
/** The seconds before each further try of an event that could not be passed on. */
export const tryAgainSeconds = [5, 30, 120, 600, 3600] as const

type Passed = 'passed' | 'lost' | 'failed'

/**
 * Passes on events, some of each account in turn, and each exactly once: one commit holds what it
 * sets going and the end of the event. Any number of processes may do so at the same time: the
 * commit names the state that was read, so only one of them succeeds.
 * @returns a function that does so once, and gives how many there were to pass on
 */
export function eventPasser(ports: Ports): () => Promise<number> {
  const turns = new InTurn<PlatformEvent>(({ owner_id }) => owner_id, dueAtOnce, dueOfOneAccount)
  return async () => {
    const now = timestamp(await ports.store.now())
    const due = await turns.next((after, limit) =>
      ports.store.events.find(
        // One that was never tried is due at any time: the clock may have been put back since.
        { owner_id: { $gt: after }, $or: [{ attempts: 0 }, { due_at: { $lte: now } }] },
        { sort: { owner_id: 1, due_at: 1 }, limit },
      ),
    )
    // Events of one agent are passed on in order, those of different agents in parallel.
    const queues = [...Map.groupBy(due, (event) => event.char_id ?? event.id).values()]
    const passed = await Promise.all(
      // All wait for the longest of them, so none is long.
      queues.map((queue) => passOnAll(ports, queue.slice(0, dueOfOneAgent))),
    )
    // Where another process was quicker with all of them there may be more, but there is no hurry.
    return passed.flat().filter((one) => one !== 'lost').length
  }
}

async function passOnAll(ports: Ports, queue: readonly PlatformEvent[]): Promise<Passed[]> {
  const passed: Passed[] = []
  for (const event of queue) passed.push(await passOn(ports, event))
  return passed
}

async function passOn(ports: Ports, event: PlatformEvent): Promise<Passed> {
  try {
    return await ports.traces.step(eventStep(event), () => decided(ports, event))
  } catch (cause) {
    // The store is away for all events alike: none of them is to blame.
    if (cause instanceof Unavailable) throw cause
    return tryLater(ports, event, cause)
  }
}

/** Events of an account that is listened to are numbered one after the other. */
function decided(ports: Ports, event: PlatformEvent): Promise<Passed> {
  const { owner_id } = event
  const decide = (): Promise<Passed> => decidedNow(ports, event)
  return listens(owner_id) ? inTurn(`log of ${owner_id}`, decide) : decide()
}

async function decidedNow(ports: Ports, event: PlatformEvent): Promise<Passed> {
  for (let decision = 1; ; decision++) {
    const now = ports.clock.now()
    const passing = await passingOf(ports, event, now)
    const log = passing.told === null ? await logged(ports.store, event, now) : []
    try {
      await ports.store.commit([...endOf(event, passing.told, now), ...passing.writes, ...log])
    } catch (cause) {
      if (cause instanceof Unmet && cause.index === 0) return 'lost'
      const isStale = cause instanceof Unmet || cause instanceof DuplicateKey
      if (!isStale || decision === decisionsAtMost) throw cause
      continue
    }
    announce(ports, event, passing)
    return 'passed'
  }
}

/** The event goes, or stays for the tasks that are still to be told. A delete alone would always succeed. */
function endOf({ id, due_at, told }: PlatformEvent, last: string | null, now: Date): Write[] {
  const asRead = { id, due_at, told }
  const change = { $set: { told: last, due_at: last === null ? due_at : timestamp(now) } }
  const held: Write = { in: 'events', update: asRead, change }
  return last === null ? [held, { in: 'events', delete: { id } }] : [held]
}

function announce(ports: Ports, event: PlatformEvent, { idle }: Passing): void {
  if (idle.length === 0) return
  const { id, type, char_id } = event
  ports.log.info('hooks of an agent could do nothing', { event_id: id, event: type, char_id })
}

async function tryLater(ports: Ports, event: PlatformEvent, cause: unknown): Promise<Passed> {
  const { store, log } = ports
  const { id, type, due_at, attempts } = event
  const seconds = tryAgainSeconds[attempts]
  const fields = { event_id: id, event: type, attempts: attempts + 1, cause }
  if (seconds === undefined) {
    log.error('an event was given up: it could not be passed on', fields)
    await store.events.delete({ id, due_at })
    return 'failed'
  }
  log.warn('an event could not be passed on', fields)
  const later = secondsAfter(await store.now(), seconds)
  const change = { $set: { due_at: later, attempts: attempts + 1 } }
  await store.events.update({ id, due_at }, change)
  return 'failed'
}
