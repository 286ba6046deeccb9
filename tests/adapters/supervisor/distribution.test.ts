import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Distribution } from '#adapters/supervisor/distribution.ts'
import type { Order, Report } from '#adapters/supervisor/messages.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Processes that answer when the test lets them. */
class Processes {
  readonly distribution = new Distribution<string>()
  readonly got: Record<string, Socket[]> = {}
  readonly #offers: Record<string, number[]> = {}
  readonly #held = new Set<string>()
  readonly sends: Record<string, (order: Order, socket?: Socket) => void> = {}

  enter(...names: string[]): void {
    for (const name of names) {
      this.got[name] = []
      this.#offers[name] = []
      const send = (order: Order, socket?: Socket): void => this.#told(name, order, socket)
      this.sends[name] = send
      this.distribution.enter(name, send)
    }
  }

  /** From now on it does not answer. */
  hold(name: string): void {
    this.#held.add(name)
  }

  /** It answers again, late offers too. */
  release(name: string): void {
    this.#held.delete(name)
    for (const id of this.#offers[name]?.splice(0) ?? []) this.say(name, { kind: 'take', id })
  }

  say(name: string, report: Report): void {
    this.distribution.heard(name, report)
  }

  /** The offers that it has not answered. */
  offered(name: string): number {
    return this.#offers[name]?.length ?? 0
  }

  connect(count = 1): Socket[] {
    return Array.from({ length: count }, () => {
      const socket = new Socket()
      this.distribution.accept(socket)
      return socket
    })
  }

  counts(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.got).map(([name, got]) => [name, got.length]))
  }

  #told(name: string, order: Order, socket: Socket | undefined): void {
    // As messages do, what it says comes later.
    queueMicrotask(() => {
      if (order.kind === 'offer' && this.#held.has(name)) this.#offers[name]?.push(order.id)
      else if (order.kind === 'offer') this.say(name, { kind: 'take', id: order.id })
      if (order.kind !== 'connection' || !socket || this.#held.has(name)) return
      this.got[name]?.push(socket)
      this.say(name, { kind: 'taken', id: order.id, open: this.got[name]?.length ?? 0 })
    })
  }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('connections', () => {
  it('are spread evenly, also when many come at once', async () => {
    const all = new Processes()
    all.enter('a', 'b', 'c')
    all.connect(30)
    await pass(0)
    all.connect(30)
    await pass(0)
    expect(all.counts()).toEqual({ a: 20, b: 20, c: 20 })
  })

  it('are on their way to a process few at a time, however many come', async () => {
    const all = new Processes()
    all.enter('a')
    all.hold('a')
    all.connect(1000)
    await pass(0)
    expect(all.offered('a')).toBe(32)
    all.release('a')
    await pass(0)
    expect([all.counts(), all.distribution.size]).toEqual([{ a: 1000 }, 0])
  })

  it('go to the process that has the fewest', async () => {
    const all = new Processes()
    all.enter('a', 'b')
    all.say('a', { kind: 'alive', open: 10 })
    all.connect(6)
    await pass(0)
    expect(all.counts()).toEqual({ a: 0, b: 6 })
  })

  it('wait where no process is there, and are all given to the first', async () => {
    const all = new Processes()
    all.connect(3)
    await pass(60_000)
    all.enter('a')
    await pass(0)
    expect([all.counts(), all.distribution.size]).toEqual([{ a: 3 }, 0])
  })
})

describe('a process that is held', () => {
  it('gets no connection, and others are asked instead', async () => {
    const all = new Processes()
    all.enter('a', 'b')
    all.hold('a')
    all.connect(4)
    await pass(100)
    expect(all.counts()).toEqual({ a: 0, b: 4 })
    all.connect(4)
    await pass(0)
    expect(all.counts()).toEqual({ a: 0, b: 8 })
  })

  it('is asked again once it is heard, and takes nothing that another one has', async () => {
    const all = new Processes()
    all.enter('a', 'b')
    all.hold('a')
    all.connect(2)
    await pass(100)
    all.release('a')
    expect(all.counts()).toEqual({ a: 0, b: 2 })
    all.connect(2)
    await pass(0)
    expect(all.counts()).toEqual({ a: 2, b: 2 })
  })

  it('is waited for where all are', async () => {
    const all = new Processes()
    all.enter('a', 'b')
    all.hold('a')
    all.hold('b')
    all.connect(2)
    await pass(10_000)
    all.release('b')
    await pass(0)
    expect(all.counts()).toEqual({ a: 0, b: 2 })
  })
})

describe('a process that ends', () => {
  it('leaves what it was asked about to the others, and closes what was on its way', async () => {
    const all = new Processes()
    all.enter('a')
    all.hold('a')
    const [sent, asked] = all.connect(2)
    // It took the first one, and was held before it had it.
    all.say('a', { kind: 'take', id: 1 })
    all.distribution.ended('a', all.sends['a'] ?? (() => undefined))
    all.enter('b')
    await pass(0)
    expect(all.got['b']).toEqual([asked])
    expect(sent?.destroyed).toBe(true)
    expect(all.distribution.size).toBe(0)
  })

  it('in order takes no more, and what it was sent before', async () => {
    const all = new Processes()
    all.enter('a', 'b')
    all.distribution.leave('a')
    all.connect(2)
    await pass(0)
    expect(all.counts()).toEqual({ a: 0, b: 2 })
  })
})

describe('the end of all', () => {
  it('waits for connections to be given, and closes those that are not in time', async () => {
    const all = new Processes()
    all.enter('a')
    const [first] = all.connect()
    const settled = all.distribution.settle(500)
    await pass(0)
    await settled
    expect(all.got['a']).toEqual([first])
    all.hold('a')
    const [second] = all.connect()
    const over = all.distribution.settle(500)
    await pass(500)
    await over
    expect(second?.destroyed).toBe(true)
  })
})
