import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { complainedOfSettings } from '#adapters/commands/command.ts'
import { exits } from '#adapters/commands/exits.ts'
import { unlessForPeople } from '#adapters/process/start.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { Unavailable } from '#src/ports/store.ts'

const said: string[] = []
let before: typeof process.exitCode
beforeEach(() => {
  said.length = 0
  before = process.exitCode
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
})
afterEach(() => {
  process.exitCode = before
  vi.restoreAllMocks()
})

it.each([
  ['a store that is away', new StoreUnusable('No answer.', { isAway: true }), exits.unavailable],
  ['a store that a person has to fix', new StoreUnusable('Damaged.'), exits.configuration],
])('%s ends a start and a command with its code and one line', async (_, cause, code) => {
  expect(await unlessForPeople(() => Promise.reject(cause))).toBeUndefined()
  expect(process.exitCode).toBe(code)
  expect(complainedOfSettings(cause)).toBe(code)
  expect(said).toEqual([`${cause.message}\n`, `${cause.message}\n`])
})

it('a store that goes away while it is opened ends a start as one that was away', async () => {
  expect(await unlessForPeople(() => Promise.reject(new Unavailable('gone')))).toBeUndefined()
  expect(process.exitCode).toBe(exits.unavailable)
  expect(said).toEqual(['The store does not answer: gone\n'])
})
