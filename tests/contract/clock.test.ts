import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#adapters/clock/system.ts'
import { startTicker } from '#adapters/clock/ticker.ts'

describe('the system clock', () => {
  test('tells the time, and one that only goes forward', () => {
    expect(Math.abs(systemClock.now().getTime() - Date.now())).toBeLessThan(1000)
    const before = systemClock.monotonic()
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before)
  })

  test('sleeps no less than it should', async () => {
    for (const milliseconds of [0, 1, 5, 20]) {
      const before = performance.now()
      await systemClock.sleep(milliseconds)
      expect(performance.now() - before).toBeGreaterThanOrEqual(milliseconds)
    }
  })

  test('wakes with the reason of the signal, asleep or before', async () => {
    const reason = new Error('enough')
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const sleeping = systemClock.sleep(60_000, controller.signal)
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
  })

  test('lets others come in between', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await Promise.resolve()
    order.push('microtask')
    await systemClock.turn()
    order.push('later')
    expect(order).toEqual(['microtask', 'other', 'later'])
  })

  test('keeps the process alive while something sleeps', async () => {
    const script = `
      import { systemClock } from '#adapters/clock/system.ts'
      systemClock.sleep(30).then(() => process.exit(7))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    expect(await once(child, 'exit')).toEqual([7, null])
  })

  describe('with virtual timers', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    test('sleeps longer than one timer can', async () => {
      const month = 31 * 86_400_000
      let isAwake = false
      const sleeping = systemClock.sleep(month).then(() => (isAwake = true))
      await vi.advanceTimersByTimeAsync(month - 1)
      expect(isAwake).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await sleeping
      expect(isAwake).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    })

    test('leaves neither timer nor listener when it is woken', async () => {
      const controller = new AbortController()
      const sleeping = systemClock.sleep(1000, controller.signal)
      controller.abort()
      await expect(sleeping).rejects.toThrow(/aborted/)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('the ticker', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-10-25T00:59:58.500Z') }))
  afterEach(() => void vi.useRealTimers())

  test('ticks once each second until it is stopped', async () => {
    const at: string[] = []
    const ticker = startTicker(() => void at.push(new Date().toISOString().slice(14, 19)))
    await vi.advanceTimersByTimeAsync(4000)
    expect(at).toEqual(['59:59', '00:00', '00:01', '00:02'])
    ticker.stop()
    await vi.advanceTimersByTimeAsync(4000)
    expect(at).toHaveLength(4)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    ['forward by eight hours', 8 * 3_600_000],
    ['forward by forty days', 40 * 86_400_000],
    ['forward by ten years', 10 * 365 * 86_400_000],
    ['back by an hour', -3_600_000],
  ])('makes up for no second when the clock is put %s', async (_, by) => {
    let ticks = 0
    const ticker = startTicker(() => void (ticks += 1))
    await vi.advanceTimersByTimeAsync(2000)
    expect(ticks).toBe(2)
    vi.setSystemTime(Date.now() + by)
    const before = process.threadCpuUsage()
    await vi.advanceTimersByTimeAsync(3000)
    ticker.stop()
    expect(ticks).toBe(5)
    // To look at each second that went by took four seconds for eight hours.
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  test('does not begin a tick while one is under way', async () => {
    let begun = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const ticker = startTicker(() => {
      begun += 1
      return promise
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect(begun).toBe(1)
    resolve()
    await vi.advanceTimersByTimeAsync(1000)
    expect(begun).toBe(2)
    ticker.stop()
  })

  test('goes on after a tick that threw, and tells', async () => {
    const told: unknown[] = []
    const output = vi.spyOn(console, 'error')
    const ticker = startTicker(
      () => {
        throw new Error('out of order')
      },
      (cause) => told.push(cause),
    )
    await vi.advanceTimersByTimeAsync(2000)
    expect(told).toEqual([new Error('out of order'), new Error('out of order')])
    expect(output).not.toHaveBeenCalled()
    ticker.stop()
  })

  test('keeps no process alive', async () => {
    vi.useRealTimers()
    const script = `
      import { startTicker } from '#adapters/clock/ticker.ts'
      startTicker(() => {})`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
