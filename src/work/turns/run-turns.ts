import type { Ports } from '#src/core/context.ts'
import { claimDue, ownersDue } from '#src/runs/claim.ts'
import { fillPlaces, parkSome, placesLeft } from '#src/runs/concurrency.ts'
import { drainedSince } from '#src/runs/operated/drain.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { runStep } from '#src/runs/leases/step.ts'
import { AccountRing } from './account-ring.ts'

/** Accounts that are remembered; the runs of others are found in the store. */
const accountsAtMost = 10_000
/** Accounts that one look into the store finds. */
const foundAtOnce = 64
/** Runs of one account that are let go at once where places are free. */
const releasedAtOnce = 64
/** From so many slots on, a quarter is left to accounts for which nothing is being done here. */
const sharedFrom = 8

/** How the work on a claimed run went: `no room` where its account has no place for it. */
export type Worked = 'no room' | undefined

/**
 * Decides whose run is worked on next: of every account one in turn. An account whose places are
 * taken has none: what it queues is put aside until a place is free, by one write for each run.
 */
export class RunTurns {
  readonly #ports: Ports
  readonly #slots: number
  readonly #reserve: number
  readonly #work: (run: StoredRun) => Promise<Worked>
  readonly #ring = new AccountRing(accountsAtMost)
  readonly #active = new Set<Promise<void>>()
  /** How many slots each account has here. */
  readonly #held = new Map<string, number>()
  /** Accounts whose places were taken when last seen. */
  readonly #full = new Set<string>()
  readonly #parking = new Map<string, Promise<void>>()
  readonly #parkingAgain = new Set<string>()
  #cursor = ''
  #mayBeMore = false
  #looking: Promise<void> | undefined
  #isStopping = false
  #drainedSince: string | undefined

  constructor(ports: Ports, slots: number, work: (run: StoredRun) => Promise<Worked>) {
    this.#ports = ports
    this.#slots = slots
    this.#reserve = slots < sharedFrom ? 0 : Math.floor(slots / 4)
    this.#work = work
  }

  /** That many runs may be due, of this account or of whichever the store tells. */
  wake(count: number, account?: string): void {
    if (this.#isStopping) return
    if (account === undefined) return this.#lookSoon()
    if (!this.#ring.add(account, count)) this.#mayBeMore = true
    this.#go()
  }

  /** Looks into the store for accounts with runs that are due, going on where it left off. */
  async look(): Promise<void> {
    if (this.#isStopping) return
    if (await this.#isDrained()) {
      // Nothing that is found could be claimed; the next look begins at the beginning.
      this.#mayBeMore = false
      this.#cursor = ''
      return
    }
    // Once around: what was found before is looked at again only where there was little.
    const begun = this.#cursor
    const found = await ownersDue(this.#ports, this.#cursor, foundAtOnce)
    if (found.length < foundAtOnce && begun !== '') {
      const first = await ownersDue(this.#ports, '', foundAtOnce - found.length)
      found.push(...first.filter((account) => account <= begun))
    }
    this.#mayBeMore = found.length === foundAtOnce
    this.#cursor = this.#mayBeMore ? (found.at(-1) ?? '') : ''
    for (const account of found) {
      if (!this.#ring.has(account) && !this.#parking.has(account)) this.#ring.add(account, 1, true)
    }
    this.#go()
  }

  /** Whether no runs are to be claimed; that this has changed is logged. */
  async #isDrained(): Promise<boolean> {
    const since = await drainedSince(this.#ports)
    if (since !== this.#drainedSince) {
      this.#drainedSince = since
      const { log } = this.#ports
      if (since === undefined) log.info('runs are claimed again')
      else log.warn('no runs are claimed until `abode runs drain --off`', { since })
    }
    return since !== undefined
  }

  /** Takes no more. */
  rest(): void {
    this.#isStopping = true
  }

  /** Takes no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.rest()
    await this.#looking
    await Promise.all([...this.#active, ...this.#parking.values()])
  }

  #lookSoon(): void {
    this.#looking ??= this.look()
      .catch((cause: unknown) => {
        this.#ports.log.warn('runs that are due could not be looked for', { cause })
      })
      .finally(() => {
        this.#looking = undefined
      })
  }

  #go(): void {
    while (!this.#isStopping && this.#active.size < this.#slots) {
      const isShort = this.#slots - this.#active.size <= this.#reserve
      const next = this.#ring.next((account) => !isShort || !this.#held.has(account))
      if (!next) break
      if (this.#full.has(next.account)) {
        this.#ring.drop(next.account)
        this.#park(next.account)
      } else this.#start(next.account, next.isBacklog)
    }
    if (this.#mayBeMore && this.#ring.size === 0 && this.#active.size < this.#slots) {
      if (!this.#isStopping) this.#lookSoon()
    }
  }

  #start(account: string, isBacklog: boolean): void {
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
    const working = this.#claimAndWork(account, isBacklog)
      .catch((cause: unknown) => {
        // A run that was claimed comes due again when its lease runs out.
        this.#ports.log.error('a run could not be worked on', { cause })
      })
      .finally(() => {
        this.#active.delete(working)
        this.#ports.meter.slotsTaken(this.#active.size)
        const left = (this.#held.get(account) ?? 1) - 1
        if (left > 0) this.#held.set(account, left)
        else this.#held.delete(account)
        this.#go()
      })
    this.#active.add(working)
    this.#ports.meter.slotsTaken(this.#active.size)
  }

  async #claimAndWork(account: string, isBacklog: boolean): Promise<void> {
    const run = await claimDue(this.#ports, account)
    if (!run) return
    if (isBacklog) {
      // How many there are is unknown: after each that is found, two more are looked for.
      this.#ring.add(account, 2, true)
      this.#go()
    }
    const worked = await this.#ports.traces.step(runStep(run), () => this.#work(run))
    if (worked !== 'no room') return
    if (this.#full.size >= accountsAtMost) this.#full.clear()
    this.#full.add(account)
    this.#ring.drop(account)
    this.#park(account)
  }

  /** Puts aside what waits for an account whose places are taken, unless one has become free. */
  #park(account: string): void {
    if (this.#parking.has(account)) {
      this.#parkingAgain.add(account)
      return
    }
    const parking = this.#parkAll(account)
      .catch((cause: unknown) => {
        this.#full.delete(account)
        this.#ports.log.warn('runs could not be put aside', { account_id: account, cause })
      })
      .finally(() => {
        this.#parking.delete(account)
        if (this.#parkingAgain.delete(account) && !this.#isStopping) this.#park(account)
      })
    this.#parking.set(account, parking)
  }

  async #parkAll(account: string): Promise<void> {
    while (!this.#isStopping) {
      // Looked at after what was put aside before: an end that found nothing to release came earlier.
      const places = await placesLeft(this.#ports, account)
      if (places > 0) {
        this.#full.delete(account)
        const most = Math.min(places, releasedAtOnce)
        const ready = await fillPlaces(this.#ports, account, most)
        if (ready > 0) this.#ring.add(account, ready, ready === releasedAtOnce)
        this.#go()
        return
      }
      if ((await parkSome(this.#ports, account)) === 0) return
    }
  }
}
