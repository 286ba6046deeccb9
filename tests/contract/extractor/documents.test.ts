import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import {
  archiveWith,
  documentFiles,
  foldedFile,
  paragraph,
  type ArchiveFile,
} from '#tests/support/materials/archives.ts'
import { openReading } from '#tests/support/materials/extracts.ts'
import { packedBomb, pdfOf } from '#tests/support/materials/pdf.ts'

const reading = openReading()
afterAll(() => reading.close())

describe('a PDF', () => {
  it('has a chunk or more for each page, and its title', async () => {
    const pdf = pdfOf(
      [['Dig the beds.', 'Wait for the frost, it will loos-', 'en them.'], [], ['Sow.']],
      {
        title: 'The garden',
      },
    )
    const { title, mediaType, chunks } = await reading.read(pdf, { mediaType: 'text/html' })
    expect({ title, mediaType }).toEqual({ title: 'The garden', mediaType: 'application/pdf' })
    expect(chunks).toEqual([
      {
        text: 'Dig the beds.\nWait for the frost, it will loosen them.',
        heading: null,
        place: 'page 1',
      },
      { text: 'Sow.', heading: null, place: 'page 3' },
    ])
  })

  it.for([
    ['(anonymous)', 'Beds and frost'],
    ['untitled', 'Beds and frost'],
    ['Untitled document', 'Beds and frost'],
    ['', 'Beds and frost'],
    ['Microsoft Word - Beds 2.docx', 'Beds 2'],
    ['Untitled poems', 'Untitled poems'],
  ])('titled "%s" is called "%s"', async ([said, title]) => {
    const page =
      'BT /F1 20 Tf 24 TL 50 750 Td (Beds) Tj T* (and frost) Tj /F1 12 Tf T* (Dig.) Tj ET'
    const escaped = said?.replaceAll(/[()]/g, '\\$&') ?? ''
    const pdf = pdfOf([deflateSync(`${page} BT /F1 12 Tf (${'Dig the beds. '.repeat(9)}) Tj ET`)], {
      title: escaped,
    })
    expect((await reading.read(pdf, { filename: 'a.pdf' })).title).toBe(title)
  })

  it('without a title and without a heading is called by the name of its file', async () => {
    const pdf = pdfOf([['Dig the beds.'], ['Sow.']], { title: '\\(anonymous\\)' })
    const titleOf = async (filename: string | null) => (await reading.read(pdf, { filename })).title
    expect(await titleOf('Spring%20beds.pdf')).toBe('Spring beds.pdf')
    expect(await titleOf('100%.pdf')).toBe('100%.pdf')
    expect(await titleOf(null)).toBe(null)
  })

  it('holds no text where it is pictures', async () => {
    expect(await reading.fault(pdfOf([[], []]))).toBe('no_text')
  })

  it('is broken where it is encrypted, cut or no PDF', async () => {
    const pdf = pdfOf([['Dig the beds.']])
    expect(await reading.fault(pdfOf([['Dig.']], { isEncrypted: true }))).toBe('broken')
    expect(await reading.fault(pdf.subarray(0, pdf.length / 2))).toBe('broken')
    expect(await reading.fault('%PDF-1.7\nand nothing more')).toBe('broken')
  })

  it('is read as a PDF though it is a page too, and as a page where it begins as one', async () => {
    const pdf = pdfOf([['Dig the beds. <html><body>secret']])
    const both = Buffer.concat([
      pdf,
      Buffer.from('\n<!doctype html><html><body>secret</body></html>'),
    ])
    expect((await reading.read(both, { mediaType: 'text/html' })).mediaType).toBe('application/pdf')
    const page = Buffer.concat([
      Buffer.from('<!doctype html><p>Sow.</p><!--'),
      Buffer.from('%PDF-1.7 -->'),
    ])
    expect(await reading.text(page, { mediaType: 'application/pdf' })).toBe('Sow.')
  })

  it('has 2,000 pages at most', async () => {
    const pages = Array.from({ length: 2_001 }, () => ['x'])
    expect(await reading.fault(pdfOf(pages))).toBe('too_large')
  })

  it('is too costly where a page unfolds to gigabytes, and the next material is read', async () => {
    expect(await reading.fault(pdfOf([packedBomb(200)]))).toBe('too_costly')
    expect(await reading.text('Dig the beds.')).toBe('Dig the beds.')
  })
})

describe('a document of a word processor', () => {
  const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`
  const body =
    paragraph('The garden', 'Heading1') +
    paragraph('Dig the beds.') +
    paragraph('secret', '', '<w:b/><w:vanish/>') +
    paragraph('Shown &amp; bold', '', '<w:vanish w:val="0"/><w:b/>') +
    `<w:tbl><w:tr>${cell('Plant')}${cell('Month')}</w:tr><w:tr>${cell('Bean')}${cell('May')}</w:tr></w:tbl>` +
    '<w:p><w:del><w:r><w:delText>secret</w:delText></w:r></w:del></w:p>'

  it('is read with its headings and tables, without what is hidden', async () => {
    const core =
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Beds &amp; beans</dc:title></cp:coreProperties>'
    const files = [
      ...documentFiles(body),
      { name: 'docProps/core.xml', bytes: Buffer.from(core) },
      { name: '../../evil.xml', bytes: Buffer.from('secret') },
      { name: '/etc/passwd', bytes: Buffer.from('secret') },
      { name: 'word\\evil.xml', bytes: Buffer.from('secret') },
      { name: 'word/embeddings/inner.zip', bytes: archiveWith(documentFiles(paragraph('secret'))) },
    ]
    const { title, chunks } = await reading.read(archiveWith(files), { mediaType: 'text/plain' })
    expect(title).toBe('Beds & beans')
    expect(chunks).toEqual([
      {
        text:
          '# The garden\n\nDig the beds.\n\nShown & bold\n\n' +
          '| Plant | Month |\n| --- | --- |\n| Bean | May |',
        heading: 'The garden',
        place: null,
      },
    ])
  })

  it('holds no text where there is none', async () => {
    expect(await reading.fault(archiveWith(documentFiles('<w:p/>')))).toBe('no_text')
  })

  it('is another archive where it has no document in it', async () => {
    const archive = archiveWith([{ name: 'a.txt', bytes: Buffer.from('x') }])
    expect(await reading.fault(archive)).toBe('type_unsupported')
  })

  it.for<[string, string, () => ArchiveFile[]]>([
    [
      '10 MB of zeros, a thousand times',
      'too_large',
      () => Array.from({ length: 900 }, (_, at) => foldedFile(`word/media/${at}.emf`)),
    ],
    [
      'parts that unfold to more than is taken',
      'too_large',
      () => Array.from({ length: 6 }, (_, at) => foldedFile(`word/header${at}.xml`)),
    ],
    ['a size that is not true', 'broken', () => [foldedFile('word/styles.xml', { declared: 100 })]],
    [
      'files that share their bytes',
      'broken',
      () =>
        Array.from({ length: 500 }, (_, at) => foldedFile(`word/media/${at}.emf`, { offset: 0 })),
    ],
    [
      'a file beyond its end',
      'broken',
      () => [{ name: 'word/styles.xml', bytes: Buffer.from('x'), offset: 1_000_000 }],
    ],
    [
      'two files of one name',
      'broken',
      () => [{ name: 'word/document.xml', bytes: Buffer.from('<x/>') }],
    ],
    [
      'a file that is encrypted',
      'broken',
      () => [{ name: 'word/styles.xml', bytes: Buffer.from('<x/>'), isEncrypted: true }],
    ],
    [
      'declared entities',
      'broken',
      () => [{ name: 'word/styles.xml', bytes: Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><x/>') }],
    ],
  ])('is refused with %s', async ([, fault, files]) => {
    expect(await reading.fault(archiveWith([...documentFiles(body), ...files()]))).toBe(fault)
  })

  it('is broken where its archive or its text ends early', async () => {
    const archive = archiveWith(documentFiles(body))
    expect(await reading.fault(archive.subarray(0, -30))).toBe('broken')
    expect(await reading.fault(archive.subarray(0, 200))).toBe('broken')
    const cut = documentFiles(body).map(({ name, bytes }) => ({
      name,
      bytes: bytes.subarray(0, 300),
    }))
    expect(await reading.fault(archiveWith(cut))).toBe('broken')
  })

  it('that is encrypted is broken, though it is no archive', async () => {
    const head = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    const bytes = Buffer.concat([
      head,
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(await reading.fault(bytes)).toBe('broken')
  })

  it('100,000 elements deep ends in time', async () => {
    const deep = '<w:sdt><w:sdtContent>'.repeat(50_000) + '</w:sdtContent></w:sdt>'.repeat(50_000)
    expect(['too_costly', 'broken']).toContain(
      await reading.fault(archiveWith(documentFiles(deep))),
    )
  })
})
