import { expect } from 'vitest'
import type { Memory } from './memory.ts'

interface Answers {
  /** What reading the account gave. */
  account: unknown
  app: unknown
  run: unknown
  /** The list of replies that the newcomer's own stands in. */
  replies: unknown
}

/** Asserts that a newcomer who knew only an address has reached their goal. */
export function expectReached(memory: Memory, { account, app, run, replies }: Answers): void {
  expect(memory.credential('ab_')).toMatch(/^ab_\w{38}$/)
  expect(account).toMatchObject({ quotas: expect.anything() })
  expect(app).toMatchObject({ agents: expect.any(Array) })
  expect(run).toMatchObject({ status: 'completed', output: expect.any(String) })
  const own = memory.idOf('rep')
  expect(own).toBeDefined()
  expect(JSON.stringify(replies)).toContain(`"id":"${own}"`)
}
