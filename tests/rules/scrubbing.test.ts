import { describe, expect, it } from 'vitest'
import { scrubbedValue, scrubber, secretsFor } from '#src/characters/secrets.ts'
import { newToken } from '#src/core/ids.ts'

const secret = 'p/s+w"ö\\rd ~(1)\n%&=é🦊'

describe('scrubbing', () => {
  const forms: [string, string][] = [
    ['as it is', secret],
    ['in JSON', JSON.stringify({ said: secret })],
    ['in JSON that quotes JSON', JSON.stringify(JSON.stringify({ said: secret }))],
    ['in JSON with escaped slashes', JSON.stringify(secret).replaceAll('/', '\\/')],
    [
      'in JSON of ASCII alone',
      JSON.stringify(secret).replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ],
    ['in an address', `https://example.com/?q=${encodeURIComponent(secret)}&a`],
    [
      'in an address in lower case',
      encodeURIComponent(secret).replaceAll(/%../g, (x) => x.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ q: secret }).toString()],
    ['in base64', `Basic ${Buffer.from(secret).toString('base64')}`],
    ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['in base64 after one letter', Buffer.from(`:${secret}:x`).toString('base64')],
    ['in base64 after two letters', Buffer.from(`u:${secret}`).toString('base64')],
    ['in base64 after three letters', Buffer.from(`us:${secret}yz`).toString('base64')],
  ]
  it.each(forms)('finds a secret %s', (_, text) => {
    const clean = scrubber([secret])(text)
    expect(clean).toContain('[secret]')
    for (const [, form] of forms) expect(clean).not.toContain(form)
    // A third of a secret would be too much of it.
    const left = clean.replaceAll('[secret]', '')
    const original = text.replaceAll('[secret]', '')
    expect(left.length).toBeLessThan(original.length - secret.length + 8)
  })

  it('leaves what is no secret, and values that are too short to be told', () => {
    const text = 'a tiny text with abcde and ab_short'
    expect(scrubber(['tiny', 'abcde'])(text)).toBe(text)
    expect(scrubber(['abcdef'])('abcdefabcdef')).toBe('[secret][secret]')
  })

  it('finds a secret that has lost the blanks around it', () => {
    expect(scrubber(['\n secret-4711 \n'])('is secret-4711.')).toBe('is [secret].')
  })

  it('replaces a secret that holds another as a whole', () => {
    const scrub = scrubber(['abcdef', 'xxabcdefyy'])
    expect(scrub('1 xxabcdefyy 2 abcdef 3')).toBe('1 [secret] 2 [secret] 3')
  })

  it('knows every token of ours by its form', () => {
    for (const prefix of ['ab', 'abs', 'cmn', 'act', 'lse', 'ort'] as const) {
      expect(scrubber([])(`key=${newToken(prefix)}.`)).toBe('key=[secret].')
    }
  })

  it('goes through every text of a value and keeps its form', () => {
    const value = { a: [`x ${secret}`, 1, null, { [secret]: true }], b: 'plain' }
    expect(scrubbedValue(value, scrubber([secret]))).toEqual({
      a: ['x [secret]', 1, null, { '[secret]': true }],
      b: 'plain',
    })
  })

  it('asks no store for a task that selects nothing', async () => {
    const none = { char_id: 'ada', selected_secrets: [] }
    // There are no ports to ask.
    expect(await secretsFor({} as never, none)).toEqual({})
  })
})
