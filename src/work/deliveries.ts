import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { PushTarget } from '#src/events/outbox/push-target.ts'
import {
  isPlaced,
  nextInTurn,
  turnOf,
  unlessFirst,
  unwanted,
  type Placed,
  type Turn,
} from '#src/events/outbox/push-order.ts'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { dueOrLost, timesOf, type Times } from '#src/core/turns/leases.ts'
import { settle } from '#src/events/outbox/finish.ts'
import { targetOf, waitForTarget } from '#src/events/outbox/targets.ts'
import { pushBodyOf } from '#src/runs/chat/push/body.ts'
import { attempt, claimDelivery } from '#src/events/outbox/attempt.ts'
import type { Tried } from '#src/events/outbox/tried.ts'
import { InTurn } from './turns/in-turn.ts'
import { deliveryStep } from './turns/steps.ts'

/** Tries under way at once: in all, for one account and to one place. */
const triesAtOnce = 32
const triesOfOneAccount = 8
const triesToOnePlace = 4
/** So many of them are left to accounts for which nothing is being sent. */
const triesForOthers = 8
/** How many due deliveries a tick looks at, in all and of one account. */
const dueAtOnce = 64
const dueOfOneAccount = 16
/** A place that takes longer than this must not hold up what is due elsewhere. */
const slowMs = 2000
const deferredSeconds = 10
/** Pauses up to this are kept to the moment; longer ones to the next tick. */
const exactSeconds = 10
/** How long tries under way may go on when the process is to stop. */
const graceMs = 1500

/** Sends what is owed to addresses outside. */
export interface Deliverer {
  /** Takes what is due, as far as there is room, and gives how much that was. */
  tick(): Promise<number>
  /** Takes no more; what does not end soon is handed back for the next deliverer to send again. */
  stop(): Promise<void>
}

/** @param more called when there may be room, or something due, before the next tick */
export function deliverer(ports: Ports, more: () => void): Deliverer {
  return new PlacedDeliverer(ports, more)
}

interface Due {
  id: string
  owner: string
  place: string
}

class PlacedDeliverer implements Deliverer {
  readonly #ports: Ports
  readonly #more: () => void
  readonly #stopping = new AbortController()
  readonly #active = new Set<Promise<void>>()
  /** When the tries under way to each place began. */
  readonly #begun = new Map<string, Set<{ at: number }>>()
  /** How many tries are under way for each account. */
  readonly #owners = new Map<string, number>()
  readonly #turns = new InTurn<Due>(({ owner }) => owner, dueAtOnce, dueOfOneAccount)
  readonly #timers = new Set<() => void>()
  #isStopping = false

  constructor(ports: Ports, more: () => void) {
    this.#ports = ports
    this.#more = more
  }

  async tick(): Promise<number> {
    if (this.#isStopping || this.#active.size >= triesAtOnce) return 0
    const { store } = this.#ports
    const times = await timesOf(this.#ports)
    const due = await this.#turns.next((after, limit) => this.#due(times, after, limit))
    const blocked = new Set<Due>()
    let taken = 0
    for (const one of due) {
      if (this.#isStopping || this.#active.size >= triesAtOnce) return taken
      if (!this.#hasRoom(one)) {
        blocked.add(one)
        continue
      }
      const delivery = await claimDelivery(store, one.id, times)
      if (!delivery) continue
      taken += 1
      this.#start(delivery, one, times.now)
    }
    const groups = Map.groupBy(due, ({ owner }) => owner).values()
    const stuck = [...groups].filter(
      (group) => group.length === dueOfOneAccount && group.every((one) => blocked.has(one)),
    )
    return taken + (await this.#defer(stuck.flat(), times))
  }

  #hasRoom({ owner, place }: Due): boolean {
    if ((this.#begun.get(place)?.size ?? 0) >= triesToOnePlace) return false
    const own = this.#owners.get(owner) ?? 0
    const isShort = triesAtOnce - this.#active.size <= triesForOthers
    return own < (isShort ? 1 : triesOfOneAccount)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const cancel of this.#timers) cancel()
    if (this.#active.size === 0) return
    const cancel = this.#ports.clock.after(graceMs, () => this.#stopping.abort())
    await Promise.all(this.#active)
    cancel()
  }

  /** Without the bodies, which are large: a row is read whole only when it is taken. */
  async #due(times: Times, after: string, limit: number): Promise<Due[]> {
    const latest = times.now > times.leases ? times.now : times.leases
    const rows = await this.#ports.store.deliveries.pick(
      ['id', 'owner_id', 'url'],
      {
        ...dueOrLost(times),
        status: 'pending',
        owner_id: { $gt: after },
        due_at: { $lte: timestamp(latest) },
      },
      { sort: { owner_id: 1, due_at: 1 }, limit },
    )
    return rows.map(([id, owner, url]) => ({
      id: String(id),
      owner: String(owner),
      place: targetOf(String(url)),
    }))
  }

  /** Lets what is due behind a slow place come to the front. */
  async #defer(blocked: readonly Due[], times: Times): Promise<number> {
    const before = this.#ports.clock.monotonic() - slowMs
    const slow = blocked.filter(({ place }) =>
      [...(this.#begun.get(place) ?? [])].some(({ at }) => at < before),
    )
    const due = { claim: null, due_at: { $lte: timestamp(times.now) } }
    const change = { $set: { due_at: secondsAfter(times.now, deferredSeconds) } }
    const { deliveries } = this.#ports.store
    await Promise.all(slow.map(({ id }) => deliveries.update({ id, ...due }, change)))
    return slow.length
  }

  #start(delivery: StoredDelivery, { owner, place }: Due, now: Date): void {
    const begun = { at: this.#ports.clock.monotonic() }
    const there = this.#begun.get(place) ?? new Set()
    this.#begun.set(place, there.add(begun))
    this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1)
    const trying = this.#ports.traces
      .step(deliveryStep(delivery), () => this.#try(delivery, now))
      .catch((cause: unknown) => {
        // It comes due again when its lease runs out.
        this.#ports.log.error('a delivery could not be tried', { delivery: delivery.id, cause })
      })
      .finally(() => {
        this.#active.delete(trying)
        there.delete(begun)
        if (there.size === 0) this.#begun.delete(place)
        const left = (this.#owners.get(owner) ?? 1) - 1
        if (left > 0) this.#owners.set(owner, left)
        else this.#owners.delete(owner)
        this.#more()
      })
    this.#active.add(trying)
  }

  async #try(delivery: StoredDelivery, now: Date): Promise<void> {
    let target: PushTarget | undefined
    let body: string | undefined
    if (isPlaced(delivery)) {
      const { store } = this.#ports
      const turn = await turnOf(store, delivery, now)
      if (!('target' in turn)) return this.#leave(delivery, turn, now)
      target = turn.target
      body = await pushBodyOf(store, delivery)
      if (body === undefined) {
        await this.#handBack(delivery, unwanted)
        return nextInTurn(store, delivery, now)
      }
    }
    const wait = await waitForTarget(this.#ports, delivery)
    if (wait > 0) return this.#postpone(delivery, now, wait)
    const { signal } = this.#stopping
    let tried: Tried
    try {
      const sent = body === undefined ? delivery : { ...delivery, body }
      tried = await attempt(this.#ports, sent, now, signal, target)
    } catch (cause) {
      if (signal.aborted) return this.#handBack(delivery, { due_at: timestamp(now) })
      this.#ports.log.error('a try of a delivery failed here', { delivery: delivery.id, cause })
      const error = 'The server failed at this delivery.'
      tried = { at: now, status: undefined, error, retryAfter: undefined }
    }
    const settled = await settle(this.#ports, delivery, tried)
    if (isPlaced(delivery)) await nextInTurn(this.#ports.store, delivery, now)
    if (!settled?.due_at || this.#isStopping) return
    const seconds = (Date.parse(settled.due_at) - now.getTime()) / 1000
    if (seconds <= exactSeconds) this.#comeBack(seconds)
  }

  #comeBack(seconds: number): void {
    const cancel = this.#ports.clock.after(Math.ceil(seconds * 1000), () => {
      this.#timers.delete(cancel)
      this.#more()
    })
    this.#timers.add(cancel)
  }

  /** Hands back a notification whose turn it is not: it waits for earlier ones or is unwanted. */
  async #leave(
    delivery: Placed,
    turn: Exclude<Turn, { target: unknown }>,
    now: Date,
  ): Promise<void> {
    if (!('until' in turn)) return this.#handBack(delivery, unwanted)
    await this.#handBack(delivery, { due_at: turn.until }, { unsent: true })
    await unlessFirst(this.#ports.store, delivery, now)
  }

  /** The account has had too many places called: this one's turn comes when the hour is over. */
  async #postpone(delivery: StoredDelivery, now: Date, seconds: number): Promise<void> {
    const due_at = secondsAfter(now, seconds)
    const error = 'The account has had too many different places called within this hour.'
    await this.#handBack(delivery, { due_at, next_attempt_at: due_at, error }, { unsent: true })
  }

  async #handBack(
    { id, claim }: StoredDelivery,
    change: Partial<StoredDelivery>,
    { unsent = false } = {},
  ): Promise<void> {
    await this.#ports.store.deliveries.update(
      { id, claim },
      { $set: { ...change, claim: null }, ...(unsent && { $inc: { begun: -1 } }) },
    )
  }
}
