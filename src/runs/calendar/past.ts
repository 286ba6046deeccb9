import { after, type Key, type Order } from '#src/core/page.ts'
import { timestamp } from '#src/core/time.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { largestJitterSeconds } from '#src/agents/tasks/reliability.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { StoredSlot } from '../schedules/slot.ts'
import type { Earliest } from './earliest.ts'
import type { Placed } from './entry.ts'
import type { Span, Reading } from './span.ts'

/** How many slots are read in one turn of the event loop. */
const atOnce = 100
/** How many tasks are looked at in one turn. */
const tasksAtOnce = 10

/** Adds the earliest slots of an account. */
export async function addPastOf(
  { store, clock }: Reading,
  ownerId: string,
  span: Span,
  earliest: Earliest,
): Promise<void> {
  const order: Order = { list: 'slots', by: 'fires_at', direction: 1 }
  const fires_at = { $gte: timestamp(new Date(span.from)), $lt: timestamp(new Date(span.before)) }
  const all: Filter<StoredSlot> = { owner_id: ownerId, fires_at }
  for (let key: Key | undefined = span.after; ;) {
    const filter = key ? after(all, order, key) : all
    const slots = await store.slots.find(filter, { sort: { fires_at: 1 }, limit: atOnce })
    for (const slot of slots) earliest.add(placed(slot))
    const last = slots.at(-1)
    if (!last || slots.length < atOnce) return
    earliest.sorted()
    if (Date.parse(last.fires_at) > earliest.horizon) return
    key = [last.fires_at, last.id]
    await turnOf(clock)
  }
}

/** Adds the earliest slots of some tasks, by their keys. */
export async function addPastOfTasks(
  reading: Reading,
  tasks: readonly Pick<StoredSlot, 'char_id' | 'task_id' | 'owner_id'>[],
  span: Span,
  earliest: Earliest,
): Promise<void> {
  for (const [index, task] of tasks.entries()) {
    if (index % tasksAtOnce === tasksAtOnce - 1) await turnOf(reading.clock)
    await addPastOfTask(reading, task, span, earliest)
  }
}

async function addPastOfTask(
  { store, clock }: Reading,
  task: Pick<StoredSlot, 'char_id' | 'task_id' | 'owner_id'>,
  span: Span,
  earliest: Earliest,
): Promise<void> {
  // Slots are found by their nominal time, which jitter never precedes.
  let at: object = { $gte: timestamp(new Date(span.from - largestJitterSeconds * 1000)) }
  for (;;) {
    const bounds = { ...at, $lte: timestamp(new Date(earliest.horizon)) }
    const among = { ...task, at: bounds }
    const slots = await store.slots.find(among, { sort: { at: 1 }, limit: atOnce })
    for (const slot of slots) {
      const one = placed(slot)
      if (one.firesAt >= span.from && isAfter(one, span.after)) earliest.add(one)
    }
    const last = slots.at(-1)
    if (!last || slots.length < atOnce) return
    earliest.sorted()
    at = { $gt: last.at }
    await turnOf(clock)
  }
}

/** Whether an entry comes after the place at which the page before ended. */
export function isAfter({ firesAt, id }: Pick<Placed, 'firesAt' | 'id'>, key?: Key): boolean {
  if (!key) return true
  const [text, lastId] = key
  const last = Date.parse(String(text))
  return firesAt > last || (firesAt === last && id > lastId)
}

function placed(slot: StoredSlot): Placed {
  const { id, owner_id: _owner, bytes: _bytes, ...bare } = slot
  return {
    id,
    firesAt: Date.parse(slot.fires_at),
    // oxlint-disable-next-line require-yield
    *shown() {
      return bare
    },
  }
}
