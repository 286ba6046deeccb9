import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  integer,
  oneof,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scrubbedInTurns, scrubberInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import { scrubbedValue, scrubber } from '#src/agents/secrets/scrubber.ts'
import { secretsFor } from '#src/agents/secrets/secrets.ts'
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

  it('knows each of our tokens by its form', () => {
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

describe('scrubbing in turns', () => {
  /** Counts how often others are let in between. */
  const counting = () => {
    const seen = { turns: 0 }
    const turn = (): Promise<void> => {
      seen.turns += 1
      return Promise.resolve()
    }
    return { seen, clock: { turn } }
  }
  const token = newToken('ab')
  const spelled = constantFrom(
    'abcdef',
    'defabc',
    'xxabcdefyy',
    'a',
    '_',
    token,
    newToken('cmn'),
    token.slice(0, 20),
    'lorem ipsum ',
  )
  const text = array(spelled, { maxLength: 12 }).map((words) => words.join(''))
  const long = tuple(text, integer({ min: 1, max: 40_000 })).map(([one, times]) => {
    return one.repeat(Math.min(times, Math.ceil(200_000 / (one.length + 1))))
  })
  const value = oneof(long, array(text), dictionary(text, oneof(text, array(long))))

  it('gives what scrubbing in one go gives', async () => {
    const scrub = scrubber([
      'abcdef',
      'defabc',
      'xxabcdefyy',
      ...Array.from({ length: 40 }, newSecret),
    ])
    await assert(
      asyncProperty(value, async (one) => {
        expect(await scrubbedInTurns(one, scrub, counting().clock)).toEqual(
          scrubbedValue(one, scrub),
        )
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a long text', 'abcdef'.repeat(150_000)],
    ['many short texts', Array.from({ length: 50_000 }, (_, i) => `abcdef ${i}`)],
    ['a text of half tokens', 'ab_'.repeat(300_000)],
  ])('lets others in between: %s', async (_, one) => {
    const { seen, clock } = counting()
    const scrub = scrubber(Array.from({ length: 100 }, newSecret))
    await scrubbedInTurns(one, scrub, clock)
    expect(seen.turns).toBeGreaterThan(100)
  })

  it('knows the same forms when it is made in turns', async () => {
    const { seen, clock } = counting()
    const secrets = Array.from({ length: 100 }, () => `${newSecret()}${'é"'.repeat(4000)}`)
    const made = await scrubberInTurns([secret, ...secrets], clock)
    expect(made.forms).toEqual(scrubber([secret, ...secrets]).forms)
    expect(seen.turns).toBeGreaterThanOrEqual(50)
  })

  it('cleans what is small at once', async () => {
    const { seen, clock } = counting()
    expect(await scrubbedInTurns({ a: 'abcdef' }, scrubber(['abcdef']), clock)).toEqual({
      a: '[secret]',
    })
    expect(seen.turns).toBe(0)
  })
})

function newSecret(): string {
  return `secret-${crypto.randomUUID()}`
}
