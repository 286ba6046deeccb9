import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServerClock } from '#adapters/store/mongo/clock.ts'
import { Watch } from '#adapters/store/mongo/watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A change stream of a server that has them, which the engine of the tests may not. */
class Feed extends EventEmitter<{ change: []; error: [unknown] }> {
  closed = false

  async close(): Promise<void> {
    this.closed = true
  }
}

describe('the watch on MongoDB', () => {
  let feeds: Feed[]
  let watch: Watch
  beforeEach(() => {
    feeds = []
    const open = (): Feed => {
      const feed = new Feed()
      feeds.push(feed)
      return feed
    }
    watch = new Watch(open, (error) => error === 'unsupported')
  })

  it('follows the changes only while there is a listener', async () => {
    expect(feeds).toHaveLength(0)
    const endOne = watch.add(() => {})
    const endOther = watch.add(() => {})
    expect(feeds).toHaveLength(1)
    endOne()
    endOne()
    expect(feeds[0]?.closed).toBe(false)
    endOther()
    expect(feeds[0]?.closed).toBe(true)
    watch.add(() => {})
    expect(feeds).toHaveLength(2)
  })

  it('tells changes that come together once, and each listener', () => {
    const [one, other] = [vi.fn<() => void>(), vi.fn<() => void>()]
    watch.add(one)
    watch.add(other)
    for (let n = 0; n < 5; n += 1) feeds[0]?.emit('change')
    expect(one).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(one).toHaveBeenCalledTimes(1)
    feeds[0]?.emit('change')
    vi.advanceTimersByTime(20)
    expect(one).toHaveBeenCalledTimes(2)
    expect(other).toHaveBeenCalledTimes(2)
  })

  it('reopens the feed after an error, and tells listeners to look again', () => {
    const listener = vi.fn<() => void>()
    watch.add(listener)
    feeds[0]?.emit('error', 'network')
    expect(feeds[0]?.closed).toBe(true)
    vi.advanceTimersByTime(1_000)
    expect(feeds).toHaveLength(2)
    expect(listener).toHaveBeenCalledTimes(1)
    feeds[1]?.emit('change')
    vi.advanceTimersByTime(20)
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('has listeners look again every 100 ms where there are no feeds', () => {
    const listener = vi.fn<() => void>()
    const end = watch.add(listener)
    feeds[0]?.emit('error', 'unsupported')
    vi.advanceTimersByTime(350)
    expect(listener).toHaveBeenCalledTimes(3)
    end()
    vi.advanceTimersByTime(1_000)
    expect(listener).toHaveBeenCalledTimes(3)
    watch.add(listener)
    expect(feeds).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(listener).toHaveBeenCalledTimes(4)
  })

  it('ends with the store, even with changes pending', async () => {
    const listener = vi.fn<() => void>()
    watch.add(listener)
    feeds[0]?.emit('change')
    feeds[0]?.emit('error', 'network')
    await watch.close()
    vi.advanceTimersByTime(5_000)
    expect(listener).not.toHaveBeenCalled()
    expect(feeds).toHaveLength(1)
  })
})

describe("the server's clock", () => {
  it('is asked once for many, and again after ten seconds', async () => {
    const ask = vi.fn<() => Promise<Date>>(async () => new Date(1_000_000 + performance.now()))
    const clock = new ServerClock(ask)
    await Promise.all([clock.now(), clock.now()])
    expect(ask).toHaveBeenCalledTimes(1)
    const start = await clock.now()
    vi.advanceTimersByTime(10_000)
    expect((await clock.now()).getTime() - start.getTime()).toBe(10_000)
    expect(ask).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await clock.now()
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('is not moved by a step of the clock of this machine', async () => {
    const clock = new ServerClock(async () => new Date(5_000_000))
    expect((await clock.now()).getTime()).toBe(5_000_000)
    vi.setSystemTime(9_000_000_000)
    expect((await clock.now()).getTime()).toBe(5_000_000)
  })

  it('takes the time of the middle of the round trip', async () => {
    const clock = new ServerClock(async () => {
      await vi.advanceTimersByTimeAsync(100)
      return new Date(7_000)
    })
    expect((await clock.now()).getTime()).toBe(7_050)
  })

  it('fails when the server does not answer, and asks again', async () => {
    const ask = vi.fn<() => Promise<Date>>()
    ask.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(new Date(1))
    const clock = new ServerClock(ask)
    await expect(clock.now()).rejects.toThrow('away')
    expect((await clock.now()).getTime()).toBe(1)
  })
})
