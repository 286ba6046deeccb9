import { expect, it } from 'vitest'
import { sending } from '#src/commons/letters/consent.ts'
import { Refusal } from '#src/core/errors.ts'

it('says what to wait with in the words of the door', () => {
  try {
    sending({ own: 'pending', theirs: 'requested' })
    expect.unreachable()
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    const { hint } = cause.toObject('r', (name) => `GET /${name}`)
    expect(hint).toContain('`GET /commons.notifications.list`')
  }
})
