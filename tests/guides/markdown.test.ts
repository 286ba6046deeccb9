import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import { guideOf, servedMarkdown } from '#src/documents/guides/guides.ts'
import { markupOf } from '#src/documents/guides/markdown.ts'
import { restText } from '#src/documents/guides/platform-calls.ts'

/** Without the space between the tags, which shows nothing. */
const shown = (markdown: string): string =>
  markupOf(markdown, (target) => `/to/${target}`).text.replaceAll(/\s*\n\s*/g, '')

describe('the markup of a text', () => {
  it.each([
    ['One\n\nTwo', '<p>One</p><p>Two</p>'],
    ['## A `b`', '<h2 id="a-b">A <code>b</code></h2>'],
    ['### Call it, now!', '<h3 id="call-it-now">Call it, now!</h3>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. **b**', '<ol><li>a</li><li><strong>b</strong></li></ol>'],
    ['[a `b`](c.md#d)', '<p><a href="/to/c.md#d">a <code>b</code></a></p>'],
    ['**`a`** *b*', '<p><strong><code>a</code></strong> <em>b</em></p>'],
    [
      'See http://x/y.md, or https://z.',
      '<p>See <a href="/to/http://x/y.md">http://x/y.md</a>, or <a href="/to/https://z">https://z</a>.</p>',
    ],
    ['[a](http://x)', '<p><a href="/to/http://x">a</a></p>'],
    ['a < b & "c"', '<p>a &lt; b &amp; &quot;c&quot;</p>'],
    ['`<b>` **x', '<p><code>&lt;b&gt;</code> **x</p>'],
    ['Text:\n- a', '<p>Text:</p><ul><li>a</li></ul>'],
  ])('of %j', (markdown, markup) => {
    expect(shown(markdown)).toBe(markup)
  })

  it('keeps blocks of code as they are', () => {
    const { text } = markupOf('```sh\na\n\n  | b # <c>\n```\nafter')
    expect(text).toContain('<pre tabindex="0"><code>a\n\n  | b # &lt;c&gt;</code></pre>')
    expect(text).toContain('<p>after</p>')
    expect(markupOf('```\nopen').text).toContain('<code>open</code>')
  })

  it('puts lines that are moved in to their item', () => {
    expect(markupOf('- a\n  b\n- c').text).toContain('<li>a\nb</li>')
  })

  it('makes tables, with bars in cells', () => {
    const table = shown('| A | B |\n|---|---|\n| `x\\|y` | [z](z) |\n\nEnd')
    expect(table).toContain('<th scope="col">A</th><th scope="col">B</th>')
    expect(table).toContain('<td><code>x|y</code></td><td><a href="/to/z">z</a></td>')
    expect(table).toMatch(/<\/div><p>End<\/p>$/)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'java&#10;script:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>1</script>',
    'data:image/png;base64,AA',
    'file:///etc/passwd',
    'ftp://x',
    'blob:x',
  ])('makes no link of %j', (target) => {
    for (const text of [
      `[a](${target})`,
      `[a](<${target}>)`,
      `<${target}>`,
      `[a]\n\n[a]: ${target}`,
      target,
    ]) {
      expect(shown(text)).not.toMatch(/href="(?:\/to\/)?(?!%01)[^"/]*:/)
    }
  })

  it('shows HTML and pictures as text and links', () => {
    const { text } = markupOf(
      '<img src=x onerror=run()> <b>x</b>\n\n<script>run()</script>\n\n![a](https://x/y.png)',
    )
    expect(text).not.toMatch(/<(?:img|b|script)/)
    expect(text).toContain('<a href="https://x/y.png">a</a>')
    expect(markupOf('[a](/b "onclick=\'run()\'")').text).toContain('<a href="/b">a</a>')
  })

  it.each([
    ['**', '**'],
    ['stars', '*a **b '],
    ['stars and lines', '*_'],
    ['brackets', '['],
    ['open links', '[a]('],
    ['closed brackets', '[]'],
    ['backticks', '`a``'],
    ['quotes', '>'],
    ['lists', '- '],
    ['tables', '|a|\n|-|\n'],
    ['entities', '&#'],
    ['addresses', 'http://'],
    ['tags', '<a '],
    ['references', '[a]: <b\n'],
    ['tildes', '~~a'],
    ['backslashes', '\\'],
  ])('of 100 kB of %s is made in no time', (_, piece) => {
    // Of the processor: by the clock, it would wait for others too.
    const begun = process.threadCpuUsage()
    markupOf(piece.repeat(100_000 / piece.length))
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1000).toBeLessThan(3_000)
  })

  it('never lets a text be more than text', () => {
    const piece = constantFrom(
      '<script>',
      '`',
      '**',
      '[a](',
      ')',
      '```\n',
      '\n',
      '| ',
      '- ',
      '# ',
      '"',
      "'",
      '&',
      'x',
    )
    const tag =
      /<\/?(?:p|h[1-4]|ul|ol|li|pre|code|strong|em|hr|blockquote|a|div|table|thead|tbody|tr|th|td)(?: (?:id|href|tabindex|scope|class)="[^"<>]*")*>/g
    assert(
      property(array(piece, { maxLength: 30 }), (pieces) => {
        const rest = markupOf(pieces.join('')).text.replaceAll(tag, '')
        expect(rest).not.toMatch(/[<>"]/)
      }),
    )
  })
})

describe('a guide as it is served', () => {
  it('leads on within the server, and names what is in the repository alone', () => {
    const source =
      'At {base_url}: [a](first-app.md), [b](first-app.md#run-it), [c](../triggers.md), [d\ne](../../README.md), [all](index.md)'
    expect(
      servedMarkdown(source, { publicUrl: 'http://x', signUp: openSignUp, hasCommons: true }),
    ).toBe(
      'At http://x: [a](http://x/guides/first-app.md), [b](http://x/guides/first-app.md#run-it), ' +
        '`docs/triggers.md`, `README.md`, [all](http://x/guides.md)',
    )
  })

  it('begins with its title and what it gives', () => {
    expect(guideOf('a', '# A b\n\nOne\ntwo.\n\nThree.\n')).toMatchObject({
      title: 'A b',
      summary: 'One two.',
    })
    expect(() => guideOf('a', 'No title')).toThrow('the guide a has no title')
  })
})

describe('a call over REST', () => {
  const text = (name: string, input: object): string => {
    const op = catalog.find((one) => one.name === name)
    if (!op) throw new Error(`there is no ${name}`)
    return restText(op, { ...input }, 'http://x')
  }

  it('has members where the operation takes them', () => {
    expect(text('runs.list', { root_run_id: 'run_1' })).toBe(
      'GET http://x/api/runs?root_run_id=run_1\nAuthorization: Bearer ab_YOUR_KEY',
    )
    expect(text('agent_claim.create', {})).toBe(
      'POST http://x/api/agent-claim\nIdempotency-Key: RANDOM_UUID',
    )
    expect(text('agent_apps.update', { app_id: 'a', manifest: { name: 'A' }, prune: true })).toBe(
      'PUT http://x/api/agent-apps/a?prune=true\nAuthorization: Bearer ab_YOUR_KEY\n' +
        'Content-Type: application/json\n\n{\n  "name": "A"\n}',
    )
  })
})
