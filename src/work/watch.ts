import type { Ports } from '#src/core/context.ts'
import { isListeningName, learnListening } from '#src/events/log/account-log.ts'
import { loopName } from '#src/core/told/touch.ts'
import type { Touched } from '#src/ports/touched.ts'
import type { Wake } from '#src/ports/wake.ts'

/** The shortest time between two wakes of a loop for what other processes have touched. */
const wakeEveryMs = 50
/** The pause between two rounds in which everyone looks. */
const lookEveryMs = 250
const toldAtOnce = 50

/** Acts when called, and then pauses; calls during the pause lead to one more act after it. */
export function pacedBy(
  clock: Pick<Ports['clock'], 'after'>,
  milliseconds: number,
  act: () => void,
): () => void {
  let isResting = false
  let isWanted = false
  const now = (): void => {
    isResting = true
    isWanted = false
    act()
    clock.after(milliseconds, () => {
      isResting = false
      if (isWanted) now()
    })
  }
  return () => {
    if (isResting) isWanted = true
    else now()
  }
}

/**
 * Wakes what waits in this process for what another process on the store has touched: callers that wait for a
 * run or a queue, and loops. Where it is not known what was touched, all of them look again.
 * Returns the function that stops this.
 */
export function watchOthers(ports: Ports): () => void {
  const loops = pacedLoops(ports)
  const everyone = inRounds(ports)
  const learn = (name?: string): void => {
    learnListening(ports.store, ports.clock.now(), name).catch((cause: unknown) => {
      ports.log.warn('which accounts are listened to could not be read', { cause })
    })
  }
  learn()
  return ports.store.watch((touched: Touched) => {
    if (touched === 'all') {
      for (const wake of loops.values()) wake()
      learn()
      return everyone()
    }
    for (const name of touched) {
      const wake = loops.get(name)
      if (wake) wake()
      else if (isListeningName(name)) learn(name)
      else ports.waiting.tell(name.startsWith(ofRuns) ? name.slice(ofRuns.length) : name)
    }
  })
}

const ofRuns = 'runs/'

function pacedLoops({ clock, wake }: Ports): Map<string, () => void> {
  const wakes: { [loop in keyof Wake]: () => void } = {
    runs: () => wake.runs(1),
    events: () => wake.events(),
    deliveries: () => wake.deliveries(),
    mails: () => wake.mails(),
    knowledge: () => wake.knowledge(),
    payments: () => wake.payments(),
  }
  // Object.entries loses the keys' type.
  const entries = Object.entries(wakes) as [keyof Wake, () => void][]
  return new Map(entries.map(([loop, act]) => [loopName(loop), pacedBy(clock, wakeEveryMs, act)]))
}

/** Has all callers look, in one round at a time: calls during a round lead to one more after it. */
function inRounds(ports: Ports): () => void {
  let isLooking = false
  let isWanted = false
  const look = async (): Promise<void> => {
    isLooking = true
    while (isWanted) {
      isWanted = false
      try {
        await tellAll(ports)
      } catch (cause) {
        isWanted = true
        ports.log.warn('what other processes have changed could not be looked for', { cause })
      }
      await ports.clock.sleep(lookEveryMs)
    }
    isLooking = false
  }
  return () => {
    isWanted = true
    if (!isLooking) void look()
  }
}

/**
 * Tells all callers that wait now, but for those of a run that is still queued. Those who are told read, so they
 * are told in batches; the read of the next batch comes after theirs, so that no more are under way at once
 * than the store can serve.
 */
async function tellAll({ clock, store, waiting }: Ports): Promise<void> {
  const keys = waiting.keys()
  for (let from = 0; from < keys.length; from += toldAtOnce) {
    const batch = keys.slice(from, from + toldAtOnce)
    const queued = await store.runs.pick(['id'], { id: { $in: batch }, status: 'queued' })
    const isQueued = new Set(queued.map(([id]) => id))
    for (const key of batch) if (!isQueued.has(key)) waiting.tell(key)
    await clock.turn()
  }
}
