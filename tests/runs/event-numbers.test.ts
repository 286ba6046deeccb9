import { expect, it } from 'vitest'
import { runEvent } from '#src/runs/events.ts'

const after = (at: number): number => runEvent('run_1', 'tool.called', new Date(at), {}).seq

it('numbers of events grow within a millisecond, and follow a clock that is set back', () => {
  const now = Date.parse('2026-06-01T12:00:00Z')
  const year = 365 * 86_400_000
  expect([after(now + year), after(now + year), after(now + year + 5)]).toEqual([
    now + year,
    now + year + 1,
    now + year + 5,
  ])
  expect([after(now), after(now), after(now - 1000)]).toEqual([now, now + 1, now + 2])
})
