import { expect, it } from 'vitest'
import { quietUntil } from '#src/runs/told/quiet.ts'
import { settingsOf, type StoredNotificationSettings } from '#src/runs/told/settings.ts'
import { inert } from '#src/runs/told/words.ts'

const timezone = 'Europe/Berlin'

it.each([
  ['before them', '2027-06-01T19:59:00Z', '22:00', '07:00', null],
  ['before midnight', '2027-06-01T20:00:00Z', '22:00', '07:00', '2027-06-02T05:00:00.000Z'],
  ['after midnight', '2027-06-02T01:00:00Z', '22:00', '07:00', '2027-06-02T05:00:00.000Z'],
  ['at their end', '2027-06-02T05:00:00Z', '22:00', '07:00', null],
  ['within a day', '2027-06-01T11:00:00Z', '12:00', '14:00', '2027-06-01T12:00:00.000Z'],
  ['as a night is shorter', '2027-03-27T22:00:00Z', '22:00', '07:00', '2027-03-28T05:00:00.000Z'],
  ['as a night is longer', '2027-10-30T21:00:00Z', '22:00', '07:00', '2027-10-31T06:00:00.000Z'],
  [
    'in an hour that comes again',
    '2027-10-31T01:10:00Z',
    '22:00',
    '02:30',
    '2027-10-31T01:30:00.000Z',
  ],
])('quiet hours: %s', (_, at, from, to, end) => {
  expect(quietUntil(new Date(at), { from, to, timezone })?.toISOString() ?? null).toBe(end)
})

it('names are one line in a mail, with nothing hidden and nothing that becomes a link', () => {
  expect(inert('Ada\r\nBcc: eve@evil.example')).toBe('Ada Bcc: eve evil example')
  expect(inert('a\u202eb\u200bc')).toBe('a[U+202E]b[U+200B]c')
  expect(inert('https://evil.example/x')).not.toMatch(/[.:]\S/)
  expect(inert('x'.repeat(10_000))).toHaveLength(61)
})

it('a kind that came after a choice is told of as where no one has chosen', () => {
  const chosen = { run_failed: { mail: false } }
  const stored = { kinds: chosen, quiet_hours: null, digest_minutes: 5 }
  const now = settingsOf(stored as unknown as StoredNotificationSettings, 'owner')
  expect(now.kinds).toMatchObject({ run_failed: { mail: false }, approval_waiting: { mail: true } })
  expect(now.digest_minutes).toBe(5)
})
