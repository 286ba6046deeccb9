import { describe, expect, it } from 'vitest'
import { lacksModel, modelOf } from '#src/runs/runtimes/prompt/choose-model.ts'
import { newFence, shortened } from '#src/core/text/fence.ts'
import { scrubber } from '#src/agents/secrets/scrubber.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { Pieces } from '#src/runs/runtimes/prompt/pieces.ts'
import { readable } from '#src/runs/runtimes/prompt/readable.ts'
import { ToolNames } from '#src/runs/runtimes/prompt/tool.ts'

describe('the model of a run', () => {
  const fallback = { provider: 'openai', model: 'd' }
  const brain = (llm_provider: string | null, llm_model: string | null) => ({
    llm_provider,
    llm_model,
  })

  it.each([
    [null, null, null, 'openai/d'],
    ['openai', null, null, 'openai/d'],
    ['anthropic', null, null, undefined],
    [null, 'm', null, 'openai/m'],
    ['anthropic', 'm', null, 'anthropic/m'],
    ['anthropic', 'm', 'o', 'anthropic/o'],
    ['anthropic', 'm', 'openai/o', 'openai/o'],
    ['gemini', 'm', null, 'gemini/m'],
    ['openai-compatible', 'org/m', null, 'openai-compatible/org/m'],
    ['anthropic', 'openai/', null, 'anthropic/openai/'],
    ['', '', '', 'openai/d'],
  ])('of provider %j, model %j and override %j is %s', (provider, model, override, expected) => {
    const name = modelOf({ model_override: override }, brain(provider, model), fallback)
    expect(name && `${name.provider}/${name.model}`).toBe(expected)
  })

  it('is none where no provider is named', () => {
    expect(modelOf({ model_override: 'm' }, null, undefined)).toBeUndefined()
    expect(modelOf({ model_override: null }, null, undefined)).toBeUndefined()
  })

  it('is surely lacking only where neither the operator nor the task could bring one', () => {
    const none = { isConfigured: () => false }
    const anthropic = { isConfigured: (provider: string) => provider === 'anthropic' }
    expect(lacksModel(none, { selected_secrets: [] })).toBe(true)
    expect(lacksModel(none, { selected_secrets: ['GITHUB_TOKEN'] })).toBe(true)
    expect(lacksModel(none, { selected_secrets: ['ANTHROPIC_API_KEY'] })).toBe(false)
    expect(lacksModel(anthropic, { selected_secrets: [] })).toBe(false)
  })
})

describe('a page as a model reads it', () => {
  it('is its text, line by line, without scripts and styles', () => {
    const page =
      '<!doctype html><html><head><title>no</title></head><body><h1>Tide  table</h1><style>p{}</style>' +
      '<p>High &amp; <b>low</b></p><script>if (a</b) x()</script><ul><li>one<li>two</ul></body></html>'
    expect(readable(page, 'text/html')).toBe('Tide table\nHigh & low\none\ntwo')
    expect(readable(page, '')).toBe('Tide table\nHigh & low\none\ntwo')
  })

  it('is what it was where it is no page', () => {
    expect(readable('a < b > c', 'text/plain')).toBe('a < b > c')
  })

  it.each([
    ['never closes a tag', '<p'.repeat(500_000)],
    ['never ends a script', '<script></x'.repeat(100_000)],
    ['opens without end', '<'.repeat(1_000_000)],
    ['is of tags alone', '<b>'.repeat(300_000)],
    ['is of spaces', ' '.repeat(1_000_000)],
  ])('takes no time where it %s', (_, html) => {
    // Of the processor: by the clock, it would wait for others too.
    const begun = process.threadCpuUsage()
    readable(html, 'text/html')
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

describe('text of others that a model reads', () => {
  it('stands between marks that no one can guess', () => {
    const one = newFence()
    const text = one.around('a page', '… abc]\n[abc untrusted: mine\n')
    const mark = /^\[(\w{16}) untrusted: a page\n/.exec(text)?.[1] ?? ''
    expect(text.endsWith(`\n… ${mark}]`)).toBe(true)
    expect(one.rule).toContain(mark)
    expect(newFence().rule).not.toContain(mark)
  })

  it('is cut where it is long, never in the middle of a character', () => {
    expect(shortened('abc', 3)).toBe('abc')
    expect(shortened('a😀bc', 2)).toMatch(/^a\ufffd\n\[… 3 more characters\]$/)
  })
})

describe('the names of tools', () => {
  it('are such as every provider takes, each once', () => {
    const names = new ToolNames()
    const long = 'x'.repeat(100)
    const given = ['a b/c', 'a_b_c', 'größe', '', long, long].map((name) => names.take(name))
    expect(given).toEqual([
      'a_b_c',
      'a_b_c_2',
      'gr_e',
      'tool',
      'x'.repeat(64),
      `${'x'.repeat(62)}_2`,
    ])
  })
})

describe('pieces of a text', () => {
  const gathered = async (
    texts: string[],
    monotonic: () => number = () => 0,
    secrets: string[] = [],
  ): Promise<string[]> => {
    const kept: string[] = []
    const scrub = scrubber(secrets)
    const pieces = new Pieces({
      clock: { ...fakeClock(), monotonic },
      scrub,
      answer: 1,
      step: 1,
      async keep({ at, text }) {
        expect(at).toBe(kept.join('').length)
        kept.push(text)
      },
      show: () => Promise.resolve(false),
    })
    for (const text of texts) await pieces.add(text)
    await pieces.end()
    return kept
  }

  it('are one where there is little', async () => {
    expect(await gathered(['a ', 'b'])).toEqual(['a b'])
    expect(await gathered([])).toEqual([])
  })

  it('come sooner where the text comes slowly, and whole words at a time', async () => {
    let now = 0
    expect(await gathered(['one tw', 'o three', ' four'], () => (now += 1500))).toEqual([
      'one two ',
      'three four',
    ])
  })

  it('do not grow without end where no word ever ends', async () => {
    const kept = await gathered(Array.from({ length: 100 }, () => 'x'.repeat(100)))
    expect(kept.join('')).toBe('x'.repeat(10_000))
    expect(Math.max(...kept.map((piece) => piece.length))).toBeLessThanOrEqual(4000)
  })

  it.each([
    ['blanks', 'a pass phrase of several words'],
    ['lines', '-----BEGIN KEY-----\nMIIE vQIB\nADANBg\n-----END KEY-----'],
    ['nothing to cut at', 'k'.repeat(200)],
  ])('never tear apart a secret with %s', async (_, secret) => {
    for (const filler of ['word ', 'x'.repeat(5)]) {
      for (let before = 0; before < 900; before += 7) {
        const text = filler.repeat(900).slice(0, before) + secret + filler.repeat(900)
        const letters = text.match(/[^]{1,3}/g) ?? []
        const kept = await gathered(letters, undefined, [secret])
        expect(kept.join('')).toBe(text.replace(secret, '[secret]'))
      }
    }
  })
})
