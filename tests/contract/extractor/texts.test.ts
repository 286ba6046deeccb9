import { afterAll, describe, expect, it } from 'vitest'
import { openReading } from '#tests/support/materials/extracts.ts'

const reading = openReading()
afterAll(() => reading.close())

describe('what a text is read as', () => {
  it.for<[string, string, Record<string, string>]>([
    ['text/html', '<!-- a --><!DOCTYPE html><p>x', { mediaType: 'text/plain' }],
    [
      'text/html',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>x</p></html>',
      {},
    ],
    ['text/html', '<div>x</div>', {}],
    ['text/html', 'x <b>y</b>', { mediaType: 'text/html; charset=utf-8' }],
    ['text/plain', 'No tag is in it.', { mediaType: 'text/html' }],
    ['text/markdown', '# x', { mediaType: 'text/markdown' }],
    ['text/markdown', '# x', { filename: 'README.MD' }],
    ['text/markdown', '<p align="center">x</p>\n\n# y', { filename: 'README.md' }],
    ['text/markdown', '# x', { url: 'https://garden.example/a/x.md?b', mediaType: 'text/plain' }],
    ['text/plain', '# x', {}],
    ['application/json', ' {"a": 1}', { mediaType: 'text/plain' }],
    ['text/plain', '[sic] it is no JSON', {}],
    ['application/x-ndjson', '{"a":1}\n{"a":2}', { filename: 'a.jsonl' }],
    ['text/csv', 'a,b\n1,2', { mediaType: 'text/csv' }],
    ['text/csv', 'a,b\n1,2', { mediaType: 'application/octet-stream', filename: 'x.csv' }],
    ['text/plain', 'a,b\n1,2', {}],
    ['text/tab-separated-values', 'a\tb\n1\t2', { filename: 'x.tsv' }],
    ['application/rss+xml', '<rss><channel><item><title>x</title></item></channel></rss>', {}],
  ])('is %s by its content, else by what is said: %s', async ([mediaType, content, hints]) => {
    expect(await reading.read(content, hints)).toMatchObject({ mediaType })
  })

  it.for<[string, string | Uint8Array]>([
    ['XML of its own', '<?xml version="1.0"?><orders><order>x</order></orders>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>'],
    ['rich text', '{\\rtf1 x}'],
    ['a picture', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64')],
    ['bytes', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7 + (at >> 3) * 31) % 251)],
    ['zeros', new Uint8Array(1_000)],
    ['an old document', Buffer.from('d0cf11e0a1b11ae1'.padEnd(2_000, '20'), 'hex')],
  ])('is told to be none that is read: %s', async ([, content]) => {
    expect(await reading.fault(content, { mediaType: 'text/plain' })).toBe('type_unsupported')
  })

  it.for(['', ' \n\t ', '\u200b\u200b', '{}', '[[], null]'])(
    'is nothing where there is no text: %j',
    async (content) => {
      expect(await reading.fault(content)).toBe('no_text')
    },
  )

  it('is broken where it is said to be JSON and is none', async () => {
    expect(await reading.fault('{"a": 1', { mediaType: 'application/json' })).toBe('broken')
  })

  it('is too large beyond 10 MB', async () => {
    expect(await reading.fault(new Uint8Array(10 * 2 ** 20 + 1))).toBe('too_large')
  })
})

describe('characters', () => {
  const german = 'Grüße aus Köln'
  const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

  it.for<[string, Uint8Array, string | null, string]>([
    ['UTF-8', Buffer.from(german), null, german],
    ['a mark of UTF-8', Buffer.from(`\ufeff${german}`), 'text/plain; charset=latin1', german],
    ['UTF-16 with a mark', utf16(`\ufeff${german}`), null, german],
    ['UTF-16 with a mark, the other way', utf16(`\ufeff${german}`).swap16(), null, german],
    ['UTF-16 without', utf16(german), null, german],
    [
      'what is said',
      Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
      'text/plain; charset="Shift_JIS"',
      'テスト',
    ],
    ['one byte each, unsaid', Buffer.from(german, 'latin1'), null, german],
    [
      'one byte each, said to be UTF-8',
      Buffer.from(german, 'latin1'),
      'text/plain; charset=utf-8',
      german,
    ],
    [
      'UTF-8, said to be one byte each',
      Buffer.from(german),
      'text/plain; charset=iso-8859-1',
      german,
    ],
    [
      'UTF-8, said to be an unknown charset',
      Buffer.from(german),
      'text/plain; charset=klingon',
      german,
    ],
    [
      'Cyrillic',
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
      'text/plain;charset=windows-1251',
      'Привет',
    ],
    ['quotes of Windows', Buffer.from([0x93, 0x61, 0x94]), 'text/plain; charset=iso-8859-1', '“a”'],
  ])('are read by %s', async ([, bytes, mediaType, text]) => {
    expect(await reading.text(bytes, { mediaType })).toBe(text)
  })

  it('are read as the page itself says', async () => {
    const html = Buffer.from('<meta charset="gbk"><p>\u00c4\u00e3\u00ba\u00c3</p>', 'latin1')
    expect(await reading.text(html)).toBe('你好')
  })

  it('that cannot be read are left out, few as they are, and the others stay', async () => {
    const bytes = Buffer.concat([Buffer.from(german.repeat(20)), Buffer.from([0xff, 0xc3])])
    expect(await reading.text(bytes)).toBe(german.repeat(20))
  })

  it('that are invisible are left out', async () => {
    const hidden =
      'a\u0007b\u200bc\u202ed\u2066e\ufefff\u{e0061}g\u2028h\r\ni\u{fe00}\u{fe01}\u{fe02}'
    expect(await reading.text(hidden)).toBe('abcdefg\nh\ni\ufe00')
  })
})

describe('texts', () => {
  it('in Markdown have a title, no comments, and places by their lines', async () => {
    const { title, chunks } = await reading.read(
      '<!-- secret\nsecret -->\n# Garden\n\nDig.\n\n<!-- secret -->Water.',
      { mediaType: 'text/markdown' },
    )
    expect(title).toBe('Garden')
    expect(chunks).toEqual([
      { text: '# Garden\n\nDig.\n\nWater.', heading: 'Garden', place: 'line 3' },
    ])
  })

  it('in Markdown are called as their front matter says', async () => {
    const text = '---\ntitle: "The garden"\ntags: x\n---\n\n# Other\n\nDig.'
    expect((await reading.read(text, { filename: 'a.md' })).title).toBe('The garden')
  })

  it('in JSON are a line for each value, with its path', async () => {
    const json = JSON.stringify({
      title: 'Plan',
      beds: [
        { plant: 'bean', rows: [1, 2] },
        { plant: 'pea', sun: true, note: null },
      ],
    })
    const { title, chunks } = await reading.read(json)
    expect(title).toBe('Plan')
    expect(chunks[0]?.text).toBe(
      'title: Plan\n\nbeds[0].plant: bean\nbeds[0].rows: 1, 2\nbeds[1].plant: pea\nbeds[1].sun: true',
    )
  })

  it.for([
    ['arrays', '['.repeat(100_000) + '"x"' + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(100_000) + '"x"' + '}'.repeat(100_000)],
  ])('in JSON may be deep: %s', async ([, json = '']) => {
    expect(await reading.text(json)).toMatch(/x$/)
  })

  it('in JSON are too large where the paths make it so', async () => {
    const names = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`k${at}`, 1]))
    expect(await reading.fault(JSON.stringify({ ['x'.repeat(155)]: names }))).toBe('too_large')
  })

  it('of one document on each line keep those that are none', async () => {
    const { chunks } = await reading.read('{"a":1}\n\nno JSON\n{"b":{"c":2}}', {
      filename: 'x.jsonl',
    })
    expect(chunks).toEqual([{ text: 'a: 1\n\nno JSON\n\nb.c: 2', heading: null, place: 'line 1' }])
  })
})

describe('tables', () => {
  const csv = { mediaType: 'text/csv' }

  it('name the columns of each row, and say which row a chunk begins with', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => `Bean ${at},"May, ""early""",`)
    const { chunks } = await reading.read(`plant,month,note\n${rows.join('\n')}`, csv)
    expect(chunks[0]?.text.startsWith('plant: Bean 0\nmonth: May, "early"\n\nplant: Bean 1')).toBe(
      true,
    )
    expect(chunks[0]?.place).toBe('row 2')
    for (const { text, place } of chunks) {
      expect(text).toMatch(new RegExp(`^plant: Bean ${Number(place?.slice(4)) - 2}\n`))
    }
  })

  it.for([
    ['semicolons', 'plant;month\nbean;May'],
    ['tabs', 'plant\tmonth\nbean\tMay'],
    ['bars', 'plant|month\nbean|May'],
  ])('are parted by %s too', async ([, text = '']) => {
    expect(await reading.text(text, csv)).toBe('plant: bean\nmonth: May')
  })

  it.for([
    ['a quote that never ends', 'plant,month\n"bean,May\npea,June'],
    ['a quote in a word', 'plant,month\nbe"an,May\npea,June'],
    ['rows of other lengths', 'plant,month\nbean,May,more\npea,June'],
  ])('are read with %s', async ([, text = '']) => {
    const read = await reading.text(text, csv)
    expect(read).toMatch(/plant: "?be"?an\nmonth: May/)
    expect(read).toContain('plant: pea\nmonth: June')
  })

  it('that are large say the names of their columns once a chunk', async () => {
    const { chunks } = await reading.read(
      `plant,month,note\n${'bean,May,x\n'.repeat(600_000)}`,
      csv,
    )
    expect(chunks[0]?.text.startsWith('plant | month | note\nbean | May | x\n')).toBe(true)
    expect(chunks.at(-1)?.text.startsWith('plant | month | note\nbean | May | x')).toBe(true)
  })

  it('of one row are their row', async () => {
    expect(await reading.text('plant,month', csv)).toBe('plant | month')
  })
})
