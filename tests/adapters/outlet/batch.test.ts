import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { Batch } from '#adapters/http/outlet/batch.ts'

afterEach(() => vi.restoreAllMocks())

/** A batch that has just answered this many connections in turns, and the bodies that have ended since. */
function after(connections: number) {
  const sockets = Array.from({ length: connections }, () => ({}))
  const batch = new Batch()
  let ended: string[] = []
  const answer = (body: string, n = 0): void => {
    const response = { socket: sockets[n % connections], end: (text: string) => ended.push(text) }
    batch.end(response as unknown as ServerResponse, body)
  }
  for (let n = 0; n < 64; n++) answer('', n)
  ended = []
  return { answer, ended: () => ended.join(' ') }
}

it('ends each answer at once where few connections are at work', () => {
  const { answer, ended } = after(7)
  answer('first')
  expect(ended()).toBe('first')
})

it('ends the answers of one turn together where many are, and those of the next turn too', async () => {
  const { answer, ended } = after(8)
  answer('first')
  answer('second')
  expect(ended()).toBe('')
  await turn()
  expect(ended()).toMatch(/first second$/)
  answer('third')
  await turn()
  expect(ended()).toMatch(/ second third$/)
})

it('holds no answer for more than a millisecond, and what is left of the turn', async () => {
  const { answer, ended } = after(8)
  await turn()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(100)
  answer('early')
  clock.mockReturnValue(101.5)
  answer('late')
  expect(ended()).toMatch(/early late$/)
  answer('last')
  await turn()
  expect(ended()).toMatch(/early late last$/)
})

it('ends at once again when the connections have become few', async () => {
  const { answer, ended } = after(8)
  for (let n = 0; n < 64; n++) answer('', 1)
  await turn()
  answer('alone')
  expect(ended()).toMatch(/alone$/)
})
