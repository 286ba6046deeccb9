import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { xmlEvents } from '#adapters/extractor/xml/events.ts'
import { openReading } from '#tests/support/materials/extracts.ts'

const reading = openReading()
afterAll(() => reading.close())

const feed = { as: 'feed' } as const
const sitemap = { as: 'sitemap' } as const

const rss = (items: string, inner = ''): string =>
  '<?xml version="1.0"?><rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:media="m"><channel>' +
  `<title>The &lt;garden&gt; &amp; I</title><link>https://garden.example</link>${inner}` +
  `<image><title>A picture</title><url>x</url></image>${items}</channel></rss>`

describe('a feed', () => {
  it('of RSS has its entries, each at its address', async () => {
    const items =
      '<item><title>Beans &amp; peas</title><link>/beans</link><guid>b</guid>' +
      '<pubDate>Tue, 03 Jun 2025 09:39:21 GMT</pubDate><media:title>other</media:title>' +
      '<description>Short.</description><content:encoded><![CDATA[<p>Sow <a href="/may">in May</a>.</p>' +
      '<script>secret</script><p hidden>secret</p>]]></content:encoded></item>' +
      '<item><title>Frost</title><guid>https://garden.example/frost</guid>' +
      '<description>&lt;p&gt;Cold &amp;amp; dry.&lt;/p&gt;</description></item>' +
      '<item><description>No title, no address.</description></item>'
    const { title, mediaType, chunks } = await reading.read(rss(items), feed)
    expect({ title, mediaType }).toEqual({
      title: 'The <garden> & I',
      mediaType: 'application/rss+xml',
    })
    expect(chunks).toEqual([
      {
        text: '# Beans & peas\n\n2025-06-03\n\nSow [in May](https://garden.example/may).',
        heading: 'Beans & peas',
        place: 'https://garden.example/beans',
      },
      { text: '# Frost\n\nCold & dry.', heading: 'Frost', place: 'https://garden.example/frost' },
      { text: 'No title, no address.', heading: null, place: null },
    ])
  })

  it('of RSS 1.0 has its entries next to its channel', async () => {
    const { title, chunks } = await reading.read(
      '<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><title>Old</title>' +
        '</channel><item rdf:about="x"><title>One</title><link>https://garden.example/1</link>' +
        '<dc:date>2004-05-06T07:08:09Z</dc:date><description>First.</description></item></rdf:RDF>',
      feed,
    )
    expect(title).toBe('Old')
    expect(chunks).toEqual([
      { text: '# One\n\n2004-05-06\n\nFirst.', heading: 'One', place: 'https://garden.example/1' },
    ])
  })

  it('of Atom has texts, HTML and XHTML', async () => {
    const entry = (id: number, content: string): string =>
      `<entry><id>urn:${id}</id><title>E${id}</title><link rel="edit" href="/edit"/>` +
      `<link href="https://garden.example/${id}"/><updated>2025-01-02T03:04:05Z</updated>${content}</entry>`
    const { mediaType, chunks } = await reading.read(
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title>' +
        entry(
          1,
          '<summary>x</summary><content type="html">&lt;b&gt;Bold&lt;/b&gt; it is</content>',
        ) +
        entry(2, '<content type="xhtml"><div><p>Plain <i>it</i> is</p></div></content>') +
        entry(3, '<content>3 &lt; 4</content>') +
        '</feed>',
      feed,
    )
    expect(mediaType).toBe('application/atom+xml')
    expect(chunks.map(({ text }) => text.split('\n').at(-1))).toEqual([
      'Bold it is',
      'Plain it is',
      '3 < 4',
    ])
    expect(chunks.map(({ place }) => place)).toEqual(
      [1, 2, 3].map((id) => `https://garden.example/${id}`),
    )
  })

  it('of JSON has its items', async () => {
    const { title, mediaType, chunks } = await reading.read(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'Garden',
        items: [
          { id: '1', url: '/1', title: 'One', content_html: '<p>Hi <b>there</b></p>' },
          { id: 'https://garden.example/2', content_text: '3 < 4', date_published: '2025-01-02' },
          'odd',
        ],
      }),
      feed,
    )
    expect({ title, mediaType }).toEqual({ title: 'Garden', mediaType: 'application/feed+json' })
    expect(chunks).toEqual([
      { text: '# One\n\nHi there', heading: 'One', place: 'https://garden.example/1' },
      { text: '2025-01-02\n\n3 < 4', heading: null, place: 'https://garden.example/2' },
    ])
  })

  it('whose entries are no links of the web has no place for them', async () => {
    const { chunks } = await reading.read(
      rss('<item><title>x</title><link>javascript:run()</link></item>'),
      feed,
    )
    expect(chunks[0]?.place).toBe(null)
  })

  it.for([
    [
      'broken off',
      rss('<item><title>x</title><description>Text</description></item><item><title>y'),
    ],
    [
      'a stray ampersand',
      rss('<item><title>x & y</title><description>Text & more</description></item>'),
    ],
    ['a stray bracket', rss('<item><title>x < y</title><description>Text</description></item>')],
  ])('is read though it is no XML: %s', async ([, xml = '']) => {
    expect(await reading.text(xml, feed)).toContain('Text')
  })

  it.for([
    ['entities', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel/></rss>'],
    ['a file', '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel/></rss>'],
    [
      'an address',
      '<?xml version="1.0"?><!DOCTYPE r [\n<!ENTITY % a SYSTEM "http://x">%a;]><rss/>',
    ],
    ['behind others', '<!DOCTYPE r [<!ELEMENT a (b)>\n<!entity c "cc">]><rss><channel/></rss>'],
    ['behind a comment', '<!DOCTYPE r [<!-- > --><!ENTITY c "cc">]><rss><channel/></rss>'],
  ])('is broken where it declares entities: %s', async ([, xml = '']) => {
    expect(await reading.fault(xml, feed)).toBe('broken')
    expect(await reading.fault(xml, sitemap)).toBe('broken')
  })

  it.for([
    ['a page', '<!doctype html><p>x</p>'],
    ['JSON', '{"title": "x"}'],
    ['text', 'x'],
    ['a sitemap', '<urlset><url><loc>https://a.example</loc></url></urlset>'],
  ])('is not %s', async ([, content = '']) => {
    expect(await reading.fault(content, feed)).toBe('type_unsupported')
  })

  it('without entries holds no text', async () => {
    expect(await reading.fault(rss(''), feed)).toBe('no_text')
  })

  it('100,000 elements deep is read to its end', async () => {
    const xml = rss(
      `<item><title>x</title><description>${'<a>'.repeat(100_000)}y</description></item>`,
    )
    expect(await reading.text(xml, feed)).toContain('y')
  })

  it('resolves the entities of XML and numbers, once, and no others', async () => {
    const said = '&lt;b&gt; &amp;amp; &#65;&#x42; &copy; &a; &#0; &#xffffffff; &#1114112;'
    const { title } = await reading.read(
      rss('<item><title>x</title></item>').replace(/<title>.*?<\/title>/, `<title>${said}</title>`),
      feed,
    )
    expect(title).toBe('<b> &amp; AB &copy; &a;')
  })

  it('reads the same wherever it is cut into steps', () => {
    const item =
      '<item a="1 &amp; 2" b=\'>\'><!-- <c> --><d/>x &lt; y<![CDATA[ <e> ]]]]></item><?p <f> ?>&#233;&'
    const eventsOf = (xml: string) =>
      [...xmlEvents(xml)].map((event) =>
        event.kind === 'text' ? event.text : `<${event.kind === 'open' ? '' : '/'}${event.name}>`,
      )
    const whole = '<item><d></d>x < y <e> ]]</item>é&'
    expect(eventsOf(item).join('')).toBe(whole)
    for (let at = 0; at <= item.length; at++) {
      const pad = ' '.repeat(65_536 - at)
      expect(eventsOf(pad + item).join('')).toBe(pad + whole)
    }
  })

  it.for([
    ['brackets', '<'],
    ['tags', '<a>'],
    ['tags and others that close', '<a></b>'],
    ['ends', '</a>'],
    ['blanks in ends', '</ '],
    ['ampersands', '&'],
    ['numbers', '&#1'],
    ['comments', '<!-- '],
    ['sections', '<![CDATA[ ]]'],
    ['declarations', '<!'],
    ['attributes', '<a b="'],
    ['attributes of one tag', ' b=c', '<a'],
    ['instructions', '<?'],
    ['quotes', '"\'', '<a b='],
    ['digits of one number', '1', '&#'],
  ])(
    'of 4 MB of %s takes no more steps than its length',
    { timeout: 60_000 },
    ([, piece = '', start = '']) => {
      let [count, attributes] = [0, 0]
      for (const event of xmlEvents(start + piece.repeat(4_000_000 / piece.length))) {
        count += 1
        if (event.kind === 'open') attributes = Math.max(attributes, event.attributes.size)
      }
      expect(count).toBeLessThanOrEqual(8_000_000)
      expect(attributes).toBeLessThanOrEqual(50)
    },
  )

  it('has no more than 20,000 chunks', async () => {
    const items = '<item><title>x</title></item>'.repeat(20_001)
    expect(await reading.fault(rss(items), feed)).toBe('too_large')
  })
})

describe('a list of subscriptions', () => {
  const opml = (outlines: string): string =>
    '<?xml version="1.0"?><opml version="2.0"><head><title>My &amp; yours</title></head>' +
    `<body>${outlines}</body></opml>`
  const named = '<outline text="Beans" xmlUrl="https://garden.example/feed"/>'

  it('has its outlines with addresses, at any depth', async () => {
    const outlines =
      '<outline text="Gardens"><outline text="Deeper">' +
      '<outline type="rss" text="x" title="Beans &amp; peas" description="On &lt;b&gt;sowing&lt;/b&gt;."' +
      ' xmlUrl="/feed.xml" htmlUrl="https://garden.example/beans"/></outline>' +
      '<outline text="Frost" type="link" url="/frost" created="Tue, 03 Jun 2025 09:39:21 GMT"/></outline>' +
      '<outline text=" " xmlUrl="https://garden.example/untitled"/>' +
      '<outline text="No address"/><outline text="Script" url="javascript:run()"/>'
    const { title, mediaType, chunks, links } = await reading.read(opml(outlines))
    expect({ title, mediaType, links }).toEqual({
      title: 'My & yours',
      mediaType: 'text/x-opml',
      links: [],
    })
    const untitled = 'https://garden.example/untitled'
    expect(chunks).toEqual([
      {
        text: '# Beans & peas\n\nOn sowing.',
        heading: 'Beans & peas',
        place: 'https://garden.example/beans',
      },
      { text: '# Frost\n\n2025-06-03', heading: 'Frost', place: 'https://garden.example/frost' },
      { text: `# ${untitled}`, heading: untitled, place: untitled },
      { text: '# Script', heading: 'Script', place: null },
    ])
  })

  it('is read as a feed too, and under any name and type', async () => {
    const whole = await reading.read(opml(named))
    expect(whole.chunks).toHaveLength(1)
    expect(await reading.read(opml(named), feed)).toEqual(whole)
    for (const mediaType of ['text/x-opml', 'text/plain', 'text/html', 'application/xml']) {
      expect(await reading.read(opml(named), { mediaType, filename: 'a.txt' })).toEqual(whole)
    }
    expect(await reading.fault(opml(named), sitemap)).toBe('type_unsupported')
  })

  it.for([
    ['broken off', opml(named).slice(0, -12)],
    ['not closed', opml(named.replace('/>', '>'))],
    ['a stray ampersand', opml(named.replace('Beans', 'Beans & peas'))],
    ['100,000 outlines deep', opml('<outline text="x">'.repeat(100_000) + named)],
    ['prefixed', opml(named.replace('outline', 'o:outline'))],
  ])('is read though it is odd: %s', async ([, xml = '']) => {
    const { chunks } = await reading.read(xml)
    expect(chunks.map(({ place }) => place)).toEqual(['https://garden.example/feed'])
  })

  it('has no more chunks than others, no entities of its own, and holds no text without addresses', async () => {
    expect(await reading.fault(opml(named.repeat(20_001)))).toBe('too_large')
    const entities = '<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    expect(await reading.fault(entities + opml(named), feed)).toBe('broken')
    expect(await reading.fault(opml('<outline text="x"/>'))).toBe('no_text')
  })
})

describe('a sitemap', () => {
  const urlset = (...locations: string[]): string =>
    '<?xml version="1.0"?><urlset xmlns="s" xmlns:image="i">' +
    `${locations.map((one) => `<url><loc>${one}</loc></url>`).join('')}</urlset>`

  it('lists its pages, each once and absolute', async () => {
    const { links, linksTo, chunks } = await reading.read(
      urlset(
        'https://garden.example/a?x=1&amp;y=2',
        ' /b\n',
        '/b',
        'ftp://x',
        'javascript:run()',
        '',
      ),
      sitemap,
    )
    expect(links).toEqual(['https://garden.example/a?x=1&y=2', 'https://garden.example/b'])
    expect({ linksTo, chunks }).toEqual({ linksTo: 'pages', chunks: [] })
  })

  it('does not list the pictures of its pages', async () => {
    const xml =
      '<urlset><url><image:image><image:loc>https://a.example/1.png</image:loc></image:image>' +
      '<loc>https://a.example/</loc><video><loc>https://a.example/film</loc></video></url></urlset>'
    expect((await reading.read(xml, sitemap)).links).toEqual(['https://a.example/'])
  })

  it('may be an index of sitemaps, and says so', async () => {
    const xml = '<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>'
    const { links, linksTo } = await reading.read(xml, sitemap)
    expect({ links, linksTo }).toEqual({ links: ['https://a.example/1.xml'], linksTo: 'sitemaps' })
  })

  it('may be packed', async () => {
    const packed = gzipSync(urlset('https://a.example/'))
    expect((await reading.read(packed, sitemap)).links).toEqual(['https://a.example/'])
    expect(await reading.fault(packed)).toBe('type_unsupported')
    expect(await reading.fault(packed.subarray(0, 40), sitemap)).toBe('broken')
  })

  it('may be a text with an address on each line', async () => {
    const { links } = await reading.read(
      'https://a.example/1\n\nno\nhttps://a.example/2\n',
      sitemap,
    )
    expect(links).toEqual(['https://a.example/1', 'https://a.example/2'])
  })

  it('unfolds to 50 MB and lists 50,000 pages at most', async () => {
    expect(await reading.fault(gzipSync(Buffer.alloc(60 * 2 ** 20)), sitemap)).toBe('too_large')
    const pages = Array.from({ length: 50_001 }, (_, at) => `https://a.example/${at}`)
    expect(await reading.fault(urlset(...pages), sitemap)).toBe('too_large')
    expect((await reading.read(urlset(...pages.slice(1)), sitemap)).links).toHaveLength(50_000)
  })

  it.for([
    ['a page', '<!doctype html><p>x</p>', 'type_unsupported'],
    ['a feed', rss(''), 'type_unsupported'],
    ['text', 'x', 'type_unsupported'],
    ['empty', urlset(), 'no_text'],
  ])('is not %s', async ([, content = '', fault]) => {
    expect(await reading.fault(content, sitemap)).toBe(fault)
  })
})
