import { describe, expect, it } from 'vitest'
import { add } from '#src/operations/knowledge/texts/add.ts'

/** As many clients write JSON: in ASCII alone. */
const escaped = (sent: object): string =>
  JSON.stringify(sent).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

describe('a text that an agent is given to know', () => {
  it.each(['ж', '海', '🐳'])('may have 1 MB of %s, also where all of it is escaped', (one) => {
    const content = one.repeat(Math.floor(2 ** 20 / Buffer.byteLength(one)))
    const sent = { title: '🐳'.repeat(100), content }
    expect(add.input.safeParse({ char_id: 'ada', ...sent }).success).toBe(true)
    expect(escaped(sent).length).toBeLessThanOrEqual(add.bodyBytes ?? 0)
  })
})
