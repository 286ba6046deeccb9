import { setImmediate as immediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { GroupCommit } from '#adapters/store/sqlite/commit.ts'
import { busy, Faulty } from './faulty-database.ts'
import { holdTime } from './hold-time.ts'

const begin = 'BEGIN IMMEDIATE'
/** The translation that a test can tell from the error itself. */
const translated = (error: unknown): Error => new Error('translated', { cause: error })

describe('a group commit', () => {
  let database: Faulty
  let group: GroupCommit
  /** What is done about the log; a test may hold it up. */
  let log: { sync(): Promise<void>; between(): Promise<void> | undefined }
  beforeEach(() => {
    database = new Faulty(':memory:')
    database.exec('CREATE TABLE t (n INTEGER)')
    log = { sync: () => Promise.resolve(), between: () => undefined }
    const duties = {
      begin: () => undefined,
      end: () => undefined,
      committed: () => undefined,
      sync: () => log.sync(),
      between: () => log.between(),
      during: <T>(work: () => T): T => work(),
      pause: () => false,
      goOn: () => undefined,
    }
    group = new GroupCommit(database, duties, translated)
  })
  afterEach(async () => {
    // In this order: what was put in the place of a timer gives a false one back.
    vi.restoreAllMocks()
    vi.useRealTimers()
    database.isLocked = false
    await group.close()
    database.close()
  })

  const put = (n: number): Promise<void> =>
    group.write(() => database.exec(`INSERT INTO t VALUES (${n})`))
  /** A write at which SQLite gives up the whole transaction, as for a full disk. */
  const giveUp = (): Promise<void> =>
    group.write(() => {
      database.exec('ROLLBACK')
      throw new Error('the disk is full')
    })
  const kept = (): unknown[] => database.kept()
  const settled = async (promise: Promise<unknown>): Promise<boolean> => {
    let is = false
    promise.finally(() => (is = true)).catch(() => undefined)
    for (let i = 0; i < 5; i++) await immediate()
    return is
  }
  const held = (): { promise: Promise<void>; done: () => void } => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { promise, done: resolve }
  }

  describe('that meets a lock', () => {
    const delays = (): (number | undefined)[] =>
      vi.mocked(setTimeout).mock.calls.map(([, delay]) => delay)
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      vi.spyOn(globalThis, 'setTimeout')
      vi.spyOn(Math, 'random').mockReturnValue(0.25)
      database.isLocked = true
    })

    it('waits longer for each try, up to 20 ms or so, and starts over after one that begins', async () => {
      const first = put(1)
      await immediate()
      await vi.advanceTimersByTimeAsync(100)
      const waited = delays()
      expect(waited.slice(0, 3)).toEqual([0.375, 0.375 * 1.5, 0.375 * 1.5 ** 2])
      expect(waited.slice(-2)).toEqual([15, 15])
      database.isLocked = false
      await vi.advanceTimersByTimeAsync(20)
      await first
      database.isLocked = true
      const next = put(2)
      await immediate()
      expect(delays().at(-1)).toBe(0.375)
      database.isLocked = false
      await vi.advanceTimersByTimeAsync(1)
      await next
    })

    it('gives up after five seconds, and then has nothing left to wait for', async () => {
      const lost = put(1).catch((reason: unknown) => reason)
      await immediate()
      const closed = group.close()
      await vi.advanceTimersByTimeAsync(4_900)
      expect(await settled(closed)).toBe(false)
      await vi.advanceTimersByTimeAsync(200)
      expect(await lost).toMatchObject({ message: 'translated', cause: { message: 'locked' } })
      await closed
      expect(vi.getTimerCount()).toBe(0)
    })

    it('has until the last of the five seconds for it', async () => {
      vi.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(6_000)
      const late = put(1)
      await immediate()
      database.isLocked = false
      await vi.advanceTimersByTimeAsync(1)
      await late
      expect(kept()).toEqual([1])
    })

    it('closes once what waits is written', async () => {
      const waiting = put(1)
      await immediate()
      const closed = group.close()
      database.isLocked = false
      await vi.advanceTimersByTimeAsync(1)
      await Promise.all([waiting, closed])
      expect(kept()).toEqual([1])
    })
  })

  it('fails only those whose transaction cannot begin, and goes on with the others at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    database.faults[begin] = [new Error('no file')]
    const outcomes = await Promise.allSettled(Array.from({ length: 600 }, (_, n) => put(n)))
    const failed = outcomes.filter(({ status }) => status === 'rejected')
    expect(failed).toHaveLength(512)
    expect(failed[0]).toMatchObject({ reason: { message: 'translated' } })
    expect(kept()).toHaveLength(88)
  })

  it('ends a transaction that was left open, and begins the next one', async () => {
    database.exec('BEGIN; INSERT INTO t VALUES (1)')
    await put(2)
    expect(kept()).toEqual([2])
  })

  it('does not report a commit whose sync failed as durable', async () => {
    const cause = new Error('EIO')
    log.sync = () => Promise.reject(cause)
    await expect(put(1)).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: true, cause })
    log.sync = () => Promise.resolve()
    await put(2)
  })

  it('begins the next transaction only after what was to be done between', async () => {
    const { promise, done } = held()
    log.between = () => promise
    await put(1)
    const next = put(2)
    expect(await settled(next)).toBe(false)
    expect(database.begun()).toBe(1)
    log.between = () => Promise.reject(new Error('the log is in use'))
    done()
    await next
    await put(3)
    expect(database.begun()).toBe(3)
  })

  describe('whose transaction SQLite gave up', () => {
    it('does each write by itself, and fails the one at fault', async () => {
      const outcomes = await Promise.allSettled([put(1), giveUp(), put(2)])
      expect(outcomes).toMatchObject([
        { status: 'fulfilled' },
        { reason: { message: 'translated', cause: { message: 'the disk is full' } } },
        { status: 'fulfilled' },
      ])
      expect(kept()).toEqual([1, 2])
    })

    it('tells of each once it is durable, and begins nothing else meanwhile', async () => {
      holdTime()
      const { promise, done } = held()
      log.sync = () => promise
      const [first, lost, second] = [put(1), giveUp().catch(() => 'lost'), put(2)]
      await immediate()
      const later = put(3)
      expect(await settled(Promise.race([first, second, later]))).toBe(false)
      expect(database.begun()).toBe(2)
      done()
      await Promise.all([first, lost, second, later])
      expect(kept()).toEqual([1, 2, 3])
    })

    it('is closed once each is durable', async () => {
      const { promise, done } = held()
      log.sync = () => promise
      const writes = Promise.allSettled([put(1), giveUp()])
      await immediate()
      const closed = group.close()
      expect(await settled(closed)).toBe(false)
      done()
      await Promise.all([writes, closed])
    })

    it('has those wait that meet a lock, and does no write twice', async () => {
      database.faults[begin] = [undefined, undefined, undefined, busy()]
      const failing = giveUp()
      const others = Promise.all([put(1), put(2), put(3)])
      await expect(failing).rejects.toThrow('translated')
      await others
      expect(kept()).toEqual([1, 2, 3])
    })

    it('fails a write that left something undone, and undoes it', async () => {
      holdTime()
      const failing = group.write(() => {
        database.exec('INSERT INTO t VALUES (7)')
        throw new Error('wrong')
      })
      const outcomes = await Promise.allSettled([put(1), failing, giveUp(), put(2)])
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
        true,
        false,
        false,
        true,
      ])
      expect(kept()).toEqual([1, 2])
    })

    it('says of one whose commit failed that its outcome is unknown, and goes on', async () => {
      const cause = new Error('EIO')
      database.faults['COMMIT'] = [undefined, cause]
      const outcomes = await Promise.allSettled([put(1), giveUp(), put(2), put(3)])
      expect(outcomes).toMatchObject([
        { status: 'fulfilled' },
        { status: 'rejected' },
        { reason: { name: 'Unavailable', outcomeUnknown: true, cause } },
        { status: 'fulfilled' },
      ])
      expect(kept()).toEqual([1, 3])
    })
  })

  describe('that is closed', () => {
    it('begins nothing where there was nothing to do', async () => {
      await group.close()
      await immediate()
      expect(database.asked).toEqual([])
      await expect(put(1)).rejects.toMatchObject({ name: 'Unavailable', outcomeUnknown: false })
    })

    it('does not wait for the time of what was lazy', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const lazy = group.write(() => database.exec('INSERT INTO t VALUES (1)'), { lazy: true })
      await group.close()
      await lazy
      expect(kept()).toEqual([1])
      expect(vi.getTimerCount()).toBe(0)
    })

    it('waits for what is being synced', async () => {
      const { promise, done } = held()
      log.sync = () => promise
      const last = put(1)
      await immediate()
      const closed = group.close()
      expect(await settled(closed)).toBe(false)
      done()
      await Promise.all([last, closed])
    })
  })

  it('takes up a lazy write with others, and has no turn for it after', async () => {
    holdTime()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const lazy = group.write(() => undefined, { lazy: true })
    const other = group.write(() => undefined, { lazy: true })
    expect(vi.getTimerCount()).toBe(1)
    await Promise.all([put(1), lazy, other])
    await vi.advanceTimersByTimeAsync(100)
    expect(database.begun()).toBe(1)
  })

  it('undoes a failed write of several parts alone, and does the others once', async () => {
    holdTime()
    const torn = group.write(
      () => {
        database.exec('INSERT INTO t VALUES (7)')
        throw new Error('wrong')
      },
      { many: true },
    )
    const whole = group.write(() => database.exec('INSERT INTO t VALUES (2)'), { many: true })
    const outcomes = await Promise.allSettled([put(1), torn, whole])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(kept()).toEqual([1, 2])
    expect(database.asked).toEqual([
      begin,
      begin,
      'SAVEPOINT w',
      'ROLLBACK TO w',
      'RELEASE w',
      'SAVEPOINT w',
      'RELEASE w',
      'COMMIT',
    ])
  })

  it('runs a write of one part that fails once, as there is nothing to undo', async () => {
    holdTime()
    const write = vi.fn<() => void>(() => {
      throw new Error('wrong')
    })
    await Promise.allSettled([put(1), group.write(write), group.write(write, {})])
    expect(write).toHaveBeenCalledTimes(2)
    expect(database.asked).toEqual([begin, 'COMMIT'])
  })
})
