import { afterAll, describe, expect, it } from 'vitest'
import { openReading } from '#tests/support/materials/extracts.ts'

const reading = openReading()
afterAll(() => reading.close())

const prose = 'The beds by the wall are dug in autumn, and left to the frost until spring comes. '

function page(main: string, head = ''): string {
  return (
    `<!doctype html><html><head><title>The garden</title>${head}</head><body>` +
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/about">Imprint</a></li></ul></nav>' +
    `<main><article><h1>Digging</h1><p>${prose.repeat(9)}</p>${main}<p>${prose.repeat(9)}</p>` +
    '</article></main><footer><p>All rights reserved</p></footer></body></html>'
  )
}

describe('a page', () => {
  it('is read as its main part, in Markdown, with absolute links and its title', async () => {
    const { title, mediaType, chunks } = await reading.read(
      page(
        '<h2>Tools</h2><p>See <a href="../spades?a=1">spades</a>.</p><ul><li>One</li><li>Two<ol>' +
          '<li>inner</li></ol></li></ul><pre><code class="language-sh"># no heading\ndig --deep</code></pre>' +
          '<table><tr><th>Plant</th><th>Month</th></tr><tr><td>Bean | pea</td><td>May</td></tr></table>' +
          '<blockquote><p>Dig.</p></blockquote>',
      ),
    )
    const text = chunks.map((chunk) => chunk.text).join('\n\n')
    expect({ title, mediaType }).toEqual({ title: 'The garden', mediaType: 'text/html' })
    expect(text).toContain('## Tools')
    expect(text).toContain('See [spades](https://garden.example/spades?a=1).')
    expect(text).toContain('- One\n- Two\n  1. inner')
    expect(text).toContain('```sh\n# no heading\ndig --deep\n```')
    expect(text).toContain('| Plant | Month |\n| --- | --- |\n| Bean \\| pea | May |')
    expect(text).toContain('> Dig.')
    expect(text).not.toMatch(/Home|Imprint|rights reserved/)
    expect(chunks.some(({ heading }) => heading === 'Tools')).toBe(true)
  })

  it('resolves links by the address that the page names as its base', async () => {
    const html = page('<p>See <a href="x">there</a>.</p>', '<base href="https://other.example/y/">')
    expect(await reading.text(html)).toContain('[there](https://other.example/y/x)')
  })

  it('keeps of links that cannot be followed their text alone', async () => {
    const links =
      '<a href="javascript:run()">one</a> <a href="data:text/html,x">two</a> <a href="#x">three</a>'
    const text = await reading.text(page(`<p>See ${links} and more.</p>`))
    expect(text).toContain('See one two three and more.')
    expect(text).not.toMatch(/javascript:|data:/)
  })

  it.for([
    ['a comment', '<!-- secret -->'],
    ['a script', '<script>secret</script>'],
    [
      'data in a script',
      '<script type="application/ld+json">{"articleBody":"secret secret"}</script>',
    ],
    ['a style', '<style>.secret {}</style>'],
    ['a template', '<template><p>secret</p></template>'],
    ['noscript', '<noscript>secret</noscript>'],
    ['the attribute', '<p hidden>secret</p>'],
    ['display', '<div style="color: red; DISPLAY : none"><p>secret</p></div>'],
    ['an important style', '<p style="display:none!important">secret</p>'],
    ['visibility', '<p style="visibility:hidden">secret</p>'],
    ['opacity', '<p style="opacity:0.0">secret</p>'],
    ['a size of nothing', '<p style="font-size:0px">secret</p>'],
    ['a box of nothing', '<p style="height:0;overflow:hidden">secret</p>'],
    ['a place far away', '<p style="position:absolute; left:-9999px">secret</p>'],
    ['an indent', '<p style="text-indent:-9999em">secret</p>'],
    ['a clip', '<p style="position:absolute;clip:rect(0 0 0 0)">secret</p>'],
    ['a transparent colour', '<p style="color:transparent">secret</p>'],
    ['a rule', '<style>.gone, p#x { display: none }</style><p class="a gone">secret</p>'],
    ['a closed dialog', '<dialog>secret</dialog>'],
    ['a field', '<input value="secret"><textarea>secret</textarea><select><option>secret</select>'],
    ['an image', '<img alt="secret" src="data:image/png;base64,secret">'],
    ['a frame', '<iframe srcdoc="secret">secret</iframe>'],
    ['a drawing', '<svg><text>secret</text></svg>'],
    ['an object', '<object>secret</object>'],
    ['a nested one', '<div><div hidden><section><p>secret</p></section></div></div>'],
  ])('leaves out what %s hides', async ([, html = '']) => {
    for (const text of [
      await reading.text(page(`${html}<p>Shown it is.</p>`)),
      // So little that every way of looking for more is tried.
      await reading.text(`<html><body>${html}<p>Shown it is.</p></body></html>`),
      await reading.text(`<p>Shown it is.</p>${html}`),
    ]) {
      expect(text).toContain('Shown it is.')
      expect(text).not.toContain('secret')
    }
  })

  it('hides nothing by a rule that holds for some readers alone', async () => {
    const rules =
      '<style>@media print { .shown { display: none } } .other .shown { display:none }</style>'
    expect(await reading.text(page(`${rules}<p class="shown">Shown it is.</p>`))).toContain(
      'Shown it is',
    )
  })

  it('removes characters that a reader does not see', async () => {
    const text = await reading.text(
      page('<p>vis\u200bi\u202eble\u2060 te\u00adxt\u{e0041}\u{e0042} a\u0000b&#8203;c</p>'),
    )
    expect(text).toContain('visible text abc')
  })

  it('is read as a whole where no part stands out', async () => {
    const text = await reading.text('<div><p>Short.</p><p>Also short.</p></div>')
    expect(text).toBe('Short.\n\nAlso short.')
  })

  it('without text is told', async () => {
    expect(await reading.fault('<html><body><script>run()</script></body></html>')).toBe('no_text')
  })
})

describe('a page that is hard to read', () => {
  it.for<[string, string, string]>([
    ['100,000 elements deep', '<div>'.repeat(100_000), 'Deep down.'],
    ['100,000 deep and unbalanced', '<b><i></b>'.repeat(50_000), 'Deep down.'],
    ['tables in tables', '<table><tr><td>'.repeat(20_000), 'Deep down.'],
    ['quotes in quotes', '<blockquote>'.repeat(50_000), 'Deep down.'],
    ['lists in lists', '<ul><li>'.repeat(20_000), 'Deep down.'],
    ['links in links', '<a href="/x">'.repeat(50_000), 'Deep down.'],
    [
      '20,000 attributes',
      `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(' ')}>`,
      'Deep down.',
    ],
    ['a large style sheet', `<style>${'.a{display:none}'.repeat(100_000)}</style>`, 'Deep down.'],
    ['an endless style sheet', `<style>${'.a{'.repeat(200_000)}</style>`, 'Deep down.'],
    ['a style of a megabyte', `<p style="${'display:none '.repeat(80_000)}">x</p>`, 'Deep down.'],
    ['many paragraphs', '<p>x'.repeat(50_000), 'Deep down.'],
  ])('is read all the same: %s', async ([, before, after]) => {
    expect(await reading.text(`<html><body>${before}${after}</body></html>`)).toContain(after)
  })

  it('is of one line with 10 MB', async () => {
    const { chunks } = await reading.read(`<p>${'word '.repeat(2_000_000)}</p>`)
    expect(chunks.length).toBeGreaterThan(8_000)
  })

  it.for<[string, string]>([
    ['a table of 1,000,000 cells', `<table>${`<tr>${'<td>1'.repeat(100)}`.repeat(10_000)}</table>`],
    ['entities', `<p>${'&amp;'.repeat(1_500_000)}</p>`],
    ['brackets', `<p>${'<'.repeat(5_000_000)}</p>`],
  ])('is refused where it is made of too many parts: %s', async ([, html]) => {
    expect(await reading.fault(html, { mediaType: 'text/html' })).toBe('too_costly')
  })
})
