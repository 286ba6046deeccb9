import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
import { ExtractFailure } from '#src/ports/extractor.ts'
import { pagesAtMost } from './limits.ts'
import type { Reader } from './output.ts'
import { headingOf, titleOf, type TextItem } from './pdf-title.ts'
import { visible } from './visible.ts'

/** The text of each page; a scanned page has none. */
export const readPdf: Reader<Uint8Array> = async (bytes, material, output) => {
  const document = await opened(bytes)
  const { numPages } = document
  if (numPages > pagesAtMost) {
    throw new ExtractFailure('too_large', `It has more than ${pagesAtMost} pages.`)
  }
  let faults = 0
  let heading: string | undefined
  for (let number = 1; number <= numPages; number++) {
    const items = await itemsOf(document, number)
    if (!items) faults++
    else {
      if (number === 1) heading = headingOf(items)
      const text = visible(textOf(items))
      output.addPassage({ text, markup: 'plain', place: `page ${number}` })
    }
  }
  if (faults > 0 && faults === numPages) throw broken()
  const title = titleOf(await titleIn(document), heading, material)
  return { title, mediaType: 'application/pdf' }
}

const broken = (): ExtractFailure => new ExtractFailure('broken', 'The PDF cannot be read.')

async function opened(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocumentProxy } = await import('unpdf')
  try {
    // Only errors are reported; nothing of the document is run, drawn or fetched.
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      maxImageSize: 1,
      useWasm: false,
      stopAtErrors: false,
    })
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new ExtractFailure('broken', 'It is encrypted.')
    }
    if (cause instanceof RangeError) throw cause
    throw broken()
  }
}

/** The text of a page; undefined if it is broken, which does not keep the others from being read. */
async function itemsOf(
  document: PDFDocumentProxy,
  number: number,
): Promise<TextItem[] | undefined> {
  let page: PDFPageProxy | undefined
  try {
    page = await document.getPage(number)
    const items: readonly object[] = (await page.getTextContent()).items
    return items.filter(isText)
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    return undefined
  } finally {
    page?.cleanup()
  }
}

/** Lines further apart than usual separate paragraphs; words broken at a line's end are joined. */
function textOf(items: readonly TextItem[]): string {
  const pieces: string[] = []
  let last: number | undefined
  let isNewLine = false
  for (const item of items) {
    const y = item.transform[5] ?? 0
    if (isNewLine && item.str.trim() !== '') {
      const gap = last === undefined ? 0 : Math.abs(last - y)
      pieces.push(gap > Math.max(item.height, 4) * 1.7 ? '\n\n' : '\n')
      isNewLine = false
    }
    pieces.push(item.str)
    if (item.str.trim() !== '') last = y
    if (item.hasEOL) isNewLine = true
  }
  return pieces.join('').replace(/(?<=\p{L})[-\u00ad]\n(?=\p{Ll})/gu, '')
}

function isText(item: object): item is TextItem {
  return 'str' in item && 'transform' in item
}

function titleIn(document: PDFDocumentProxy): Promise<unknown> {
  return document.getMetadata().then(
    ({ info }) => ('Title' in info ? info.Title : null),
    () => null,
  )
}
