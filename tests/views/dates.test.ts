import { expect, test } from 'vitest'
import { beginOf, beginOfDay, dateOf, daysLater } from '#src/views/dates.ts'

test.each([
  ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02', 'Europe/Berlin', '2026-03-01T23:00:00.000Z'],
  // The clocks are changed on these days, at three, at midnight forward, and at midnight back.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
  ['2026-03-02', 'Pacific/Kiritimati', '2026-03-01T10:00:00.000Z'],
  ['2026-03-02', 'Pacific/Pago_Pago', '2026-03-02T11:00:00.000Z'],
])('the date %s begins in %s at %s', (date, zone, begin) => {
  const at = beginOf(date, zone)
  expect(new Date(at).toISOString()).toBe(begin)
  expect([dateOf(at, zone), dateOf(at - 1, zone)]).toEqual([date, daysLater(date, -1)])
  expect(beginOfDay(at + 13 * 3_600_000, zone)).toBe(at)
})

test('what is no date begins at no time', () => {
  for (const text of ['', '2026-02-99', '2026', 'today', '02/03/2026']) {
    expect(beginOf(text, 'UTC')).toBeNaN()
  }
})
