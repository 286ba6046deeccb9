import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FairThread, ThreadLost } from '#adapters/threads/fair-thread.ts'

const program = `
import { parentPort } from 'node:worker_threads'
let done = 0
parentPort.on('message', (job) => {
  if (job === 'never') for (;;);
  if (job === 'fault') throw new TypeError('a fault')
  done += 1
  parentPort.postMessage(job + ' as ' + done)
})`

const terms = {
  name: 'test',
  module: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
  patienceMs: 20_000,
  memoryMb: 64,
  newMb: 8,
  waiting: { all: 3, each: 2 },
  full: 'Too many jobs wait.',
}

describe('a thread with a queue', () => {
  let thread: FairThread<string, string>
  beforeEach(() => {
    thread = new FairThread(terms)
  })
  afterEach(() => thread.close())

  it('does jobs of owners in turn, in the same thread', async () => {
    const jobs = [
      thread.do(() => 'a1', 'a'),
      thread.do(() => 'a2', 'a'),
      thread.do(() => 'a3', 'a'),
      thread.do(() => 'b1', 'b'),
    ]
    expect(await Promise.all(jobs)).toEqual(['a1 as 1', 'a2 as 2', 'a3 as 4', 'b1 as 3'])
  })

  it('refuses a job when too many wait, of one owner or in all, and has room again later', async () => {
    const refused = { code: 'unavailable', message: terms.full, retryAfterSeconds: 5 }
    const jobs = ['a1', 'a2', 'a3'].map((job) => thread.do(() => job, 'a'))
    await expect(thread.do(() => 'a4', 'a')).rejects.toMatchObject(refused)
    jobs.push(thread.do(() => 'b1', 'b'))
    await expect(thread.do(() => 'c1', 'c')).rejects.toMatchObject(refused)
    await Promise.all(jobs)
    expect(await thread.do(() => 'c1', 'c')).toBe('c1 as 5')
  })

  it('loses the job that ends it, and does the next one in another', async () => {
    const [first, second] = await Promise.allSettled([
      thread.do(() => 'fault', 'a'),
      thread.do(() => 'next', 'a'),
    ])
    expect(first).toMatchObject({ reason: { name: 'ThreadLost', cause: { message: 'a fault' } } })
    expect(second).toMatchObject({ value: 'next as 1' })
  })

  it('gives up a job that takes too long, and does the next one in another', async () => {
    // The second job includes the start of another thread.
    const hasty = new FairThread<string, string>({ ...terms, patienceMs: 2000 })
    const [first, second] = await Promise.allSettled([
      hasty.do(() => 'never', 'a'),
      hasty.do(() => 'b', 'b'),
    ])
    expect(first).toMatchObject({ reason: expect.any(ThreadLost) })
    expect(second).toMatchObject({ value: 'b as 1' })
    await hasty.close()
  })

  it('refuses the job under way, those that wait and all others once it is closed', async () => {
    const jobs = Promise.allSettled([thread.do(() => 'never', 'a'), thread.do(() => 'a2', 'a')])
    await thread.close()
    const later = thread.do(() => 'b', 'b')
    await expect(later).rejects.toMatchObject({ code: 'unavailable' })
    const refused = { reason: { code: 'unavailable', message: 'The service is stopping.' } }
    expect(await jobs).toMatchObject([refused, refused])
  })
})
