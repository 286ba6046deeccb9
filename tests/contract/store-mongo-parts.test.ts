import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServerClock } from '#adapters/store/mongo/clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
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
