import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  Post,
  postTerms,
  type End,
  type PostReports,
  type Running,
} from '#adapters/supervisor/post.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const crash: End = { code: 1, signal: null }
const killed: End = { code: null, signal: 'SIGKILL' }

/** A post with processes that end as the test says. */
function posted() {
  const said: string[] = []
  const ends: ((end: End) => void)[] = []
  const start = (): Running => {
    const { promise: ended, resolve } = Promise.withResolvers<End>()
    ends.push(resolve)
    return { ended, kill: () => resolve(killed) }
  }
  const reports: PostReports = {
    replaced: ({ code, signal }, pauseMs) => said.push(`${code ?? signal}, again in ${pauseMs}`),
    frozen: () => said.push('frozen'),
    failed: (why, code) => said.push(`failed with ${code}: it ${why}`),
  }
  const post = new Post(start, reports)
  return {
    post,
    said,
    starts: () => ends.length,
    /** The process that holds the post ends. */
    end: async (end: End = crash) => {
      ends.at(-1)?.(end)
      await pass(0)
    },
  }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('a process that is never ready', () => {
  it('fails the start when it ends, and is not started again', async () => {
    const { post, said, starts, end } = posted()
    post.begin()
    await end({ code: 78, signal: null })
    await pass(3_600_000)
    expect(said).toEqual(['failed with 78: it ended before it was ready, with exit code 78'])
    expect(starts()).toBe(1)
  })

  it('fails the start when its time is up', async () => {
    const { post, said } = posted()
    post.begin()
    await pass(postTerms.readyWithinMs)
    expect(said).toEqual(['failed with null: it was not ready within 30 seconds'])
  })

  it('fails after five tries where an earlier one was', async () => {
    const { post, said, starts, end } = posted()
    post.begin()
    post.ready()
    for (let tries = 0; tries < 6; tries++) {
      await end()
      await pass(postTerms.pauseAtMostMs)
    }
    expect(starts()).toBe(6)
    expect(said.slice(0, 5).every((one) => one.startsWith('1, again in '))).toBe(true)
    expect(said.slice(5)).toEqual(['failed with 1: it ended before it was ready, with exit code 1'])
  })
})

describe('a process that has ended', () => {
  it('is followed at once, then after ever longer pauses, and at once again after a steady time', async () => {
    const { post, said, end } = posted()
    post.begin()
    for (let ends = 0; ends < 9; ends++) {
      post.ready()
      await end(killed)
      await pass(postTerms.pauseAtMostMs)
    }
    post.ready()
    for (let beats = 0; beats < 60; beats++) {
      post.heard()
      await pass(postTerms.lookMs)
    }
    await end(killed)
    const pauses = said.map((one) => Number(/again in (\d+)$/.exec(one)?.[1]))
    expect(pauses).toEqual([0, 100, 200, 400, 800, 1600, 3200, 6400, 10_000, 0])
  })

  it('is not followed once the post is closed', async () => {
    const { post, said, starts, end } = posted()
    post.begin()
    post.ready()
    post.close()
    await end()
    await pass(60_000)
    expect([said, starts()]).toEqual([[], 1])
  })
})

describe('a process that says nothing', () => {
  it('is ended after ten seconds, and replaced', async () => {
    const { post, said, starts } = posted()
    post.begin()
    post.ready()
    await pass(9500)
    post.heard()
    await pass(9500)
    expect(said).toEqual([])
    await pass(2000)
    expect(said).toEqual(['frozen', 'SIGKILL, again in 0'])
    expect(starts()).toBe(2)
  })
})
