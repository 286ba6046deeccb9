import { closeAccounts } from '#src/departures/account.ts'
import type { Ports } from '#src/core/context.ts'
import type { Role } from '#src/core/settings.ts'
import { settleDueOrders } from '#src/money/orders/settle.ts'
import { settleDue } from '#src/money/orders/x402/settle.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Wake } from '#src/ports/wake.ts'
import { approvalsDue } from './approvals.ts'
import { deliverer } from './deliveries.ts'
import { tellUntold } from '#src/runs/notices/tell.ts'
import { postNews } from '#src/runs/told/post.ts'
import { librarian } from './knowledge.ts'
import { eventPasser } from './events.ts'
import { startLoop } from './loop.ts'
import { mailing } from './mails.ts'
import { newsGatherer } from './news.ts'
import { paymentsDue } from './payments.ts'
import { retainer } from './retention.ts'
import { runner, type Runner } from './runner.ts'
import { scheduler } from './scheduler.ts'
import { upkeep } from './upkeep.ts'
import { watchOthers } from './watch.ts'

export interface Work {
  /** From now on nothing more is begun or claimed; what is under way goes on. */
  rest(): void
  /** Begins nothing more; resolves when the runs under way have ended, or that time is over. */
  settle(milliseconds: number): Promise<void>
  /** Stops every loop; what is under way is handed back, and what is counted in memory written. */
  stop(): Promise<void>
}

/** What can be woken. */
type Sleeper = keyof Wake

/** A wake that reaches each loop once there is one; without one, another process finds what is due. */
export interface Waking extends Wake {
  connect(sleeper: Sleeper, target: (count: number, ownerId?: string) => void): void
}

export function waking(): Waking {
  const targets = new Map<Sleeper, (count: number, ownerId?: string) => void>()
  return {
    runs: (count, ownerId) => targets.get('runs')?.(count, ownerId),
    events: () => targets.get('events')?.(1),
    deliveries: () => targets.get('deliveries')?.(1),
    mails: () => targets.get('mails')?.(1),
    knowledge: () => targets.get('knowledge')?.(1),
    payments: () => targets.get('payments')?.(1),
    connect: (sleeper, target) => void targets.set(sleeper, target),
  }
}

/** Over how much of a second the schedulers of several processes spread. */
const spreadMs = 100

type WorkPorts = Ports & { wake: Waking; resting?: AbortSignal }

type Stop = () => Promise<void>

/** Starts what the roles name, on these ports. */
export function startWork(given: WorkPorts, chosen: readonly Role[], runnerSlots: number): Work {
  const resting = new AbortController()
  const ports = { ...given, resting: resting.signal }
  const stops: Stop[] = []
  const running = chosen.includes('runner') ? runner(ports, runnerSlots) : undefined
  if (chosen.includes('scheduler')) stops.push(...startScheduler(ports))
  if (running) stops.push(...startRunner(ports, running))
  if (chosen.includes('scheduler')) stops.push(...startEvents(ports))
  if (chosen.includes('deliveries')) stops.push(...startDeliveries(ports), ...startMails(ports))
  if (chosen.includes('knowledge')) stops.push(...startKnowledge(ports))
  if (chosen.includes('upkeep')) stops.push(...startUpkeep(ports), ...startPayments(ports))
  // Last: what the others count as they stop is written too.
  stops.push(startCounts(given))
  const unwatch = watchOthers(ports)
  return {
    rest: () => resting.abort(),
    async settle(milliseconds) {
      resting.abort()
      await running?.settle(milliseconds)
    },
    async stop() {
      unwatch()
      for (const stop of stops) await stop()
      await settled(ports)
    },
  }
}

/** Writes what is counted in memory, unless the store is away, or kept from older versions: the stop is in order then. */
async function settled({ limiter, quotas, log }: WorkPorts): Promise<void> {
  for (const counts of [limiter, quotas]) {
    try {
      await counts.settle()
    } catch (cause) {
      if (!(cause instanceof Unavailable)) throw cause
      log.warn('what was counted last could not be written', { cause })
    }
  }
}

/** In every process, also in one without roles, and until the very stop: what it counts while it rests is written too. */
function startCounts({ clock, log, meter, quotas }: WorkPorts): Stop {
  const tick = async (): Promise<number> => {
    await quotas.settle()
    return 0
  }
  const loop = startLoop({ name: 'counts', intervalMs: 5000, tick }, { clock, log, meter })
  return () => loop.stop()
}

function startScheduler(ports: WorkPorts): Stop[] {
  // Not all at the same moment: of several processes the first then finds it all, and does it alone.
  const soon = (): void => {
    ports.clock.after(Math.random() * spreadMs, () => loop.wake())
  }
  const scheduling = scheduler(ports, soon)
  const loop = startLoop(
    { name: 'scheduler', intervalMs: 5000, tick: (now) => scheduling.tick(now) },
    ports,
  )
  const hush = ports.clock.everySecond(soon)
  return [
    () => {
      hush()
      return loop.stop()
    },
  ]
}

function startRunner(ports: WorkPorts, running: Runner): Stop[] {
  const loop = startLoop(
    { name: 'runner', intervalMs: 1000, tick: (now) => running.tick(now) },
    ports,
  )
  ports.wake.connect('runs', (count, ownerId) => running.wake(count, ownerId))
  ports.resting?.addEventListener('abort', () => running.rest(), { once: true })
  return [() => loop.stop(), () => running.stop()]
}

function startEvents(ports: WorkPorts): Stop[] {
  const loop = startLoop({ name: 'events', intervalMs: 1000, tick: eventPasser(ports) }, ports)
  ports.wake.connect('events', () => loop.wake())
  return [() => loop.stop()]
}

function startDeliveries(ports: WorkPorts): Stop[] {
  const sending = deliverer(ports, () => loop.wake())
  const loop = startLoop(
    { name: 'deliveries', intervalMs: 1000, tick: () => sending.tick() },
    ports,
  )
  ports.wake.connect('deliveries', () => loop.wake())
  return [() => loop.stop(), () => sending.stop()]
}

function startMails(ports: WorkPorts): Stop[] {
  const { mailer } = ports
  const gather = newsGatherer(ports)
  const gathering = startLoop({ name: 'news', intervalMs: 1000, tick: gather }, ports)
  const post = (): Promise<number> => postNews(ports)
  const posting = startLoop({ name: 'tellings', intervalMs: 1000, tick: post }, ports)
  const telling = [gathering, posting].map((one) => () => one.stop())
  if (!mailer) return telling
  const sending = mailing({ ...ports, mailer }, () => loop.wake())
  const loop = startLoop({ name: 'mails', intervalMs: 1000, tick: () => sending.tick() }, ports)
  ports.wake.connect('mails', () => loop.wake())
  return [...telling, () => loop.stop(), () => sending.stop()]
}

function startKnowledge(ports: WorkPorts): Stop[] {
  const reading = librarian(ports, () => loop.wake())
  const loop = startLoop({ name: 'knowledge', intervalMs: 1000, tick: () => reading.tick() }, ports)
  ports.wake.connect('knowledge', () => loop.wake())
  return [() => loop.stop(), () => reading.stop()]
}

function startUpkeep(ports: WorkPorts): Stop[] {
  const tick = (now: Date): Promise<number> => upkeep(ports, now)
  const keeping = retainer(ports)
  const keep = (now: Date): Promise<number> => keeping.tick(now)
  const retention = startLoop({ name: 'retention', intervalMs: 1000, tick: keep }, ports)
  const loop = startLoop({ name: 'upkeep', intervalMs: 5000, tick }, ports)
  // A loop of its own: sweeping may be slow or fail, and a closed account must not go on acting.
  const close = (now: Date): Promise<number> => closeAccounts(ports, now)
  const closing = startLoop({ name: 'closing', intervalMs: 1000, tick: close }, ports)
  const due = (): Promise<number> => approvalsDue(ports)
  const approvals = startLoop({ name: 'approvals', intervalMs: 1000, tick: due }, ports)
  const telling = (): Promise<number> => tellUntold(ports)
  const notices = startLoop({ name: 'notices', intervalMs: 1000, tick: telling }, ports)
  const space = startLoop({ name: 'space', intervalMs: 10_000, tick: () => giveBack(ports) }, ports)
  const loops = [loop, retention, closing, approvals, notices, space]
  return loops.map((one) => () => one.stop())
}

async function giveBack({ store }: Ports): Promise<number> {
  return (await store.giveBack?.()) ? 1 : 0
}

function startPayments(ports: WorkPorts): Stop[] {
  const paying = (now: Date): Promise<number> => paymentsDue(ports, now)
  const payments = startLoop({ name: 'payments', intervalMs: 1000, tick: paying }, ports)
  // A loop of its own: the payment provider may be slow to answer, and settling does not call it.
  const settling = (): Promise<number> => settleDueOrders(ports)
  const orders = startLoop({ name: 'orders', intervalMs: 1000, tick: settling }, ports)
  // A loop of its own: a chain takes its time.
  const chain = (): Promise<number> => settleDue(ports)
  const x402 = startLoop({ name: 'x402', intervalMs: 1000, tick: chain }, ports)
  ports.wake.connect('payments', () => {
    for (const loop of [payments, orders, x402]) loop.wake()
  })
  return [() => payments.stop(), () => orders.stop(), () => x402.stop()]
}
