import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs'
import { ExtractFailure } from '#src/ports/extractor.ts'
import { pagesAtMost } from './limits.ts'
import type { Output, Reader } from './output.ts'
import { visible } from './visible.ts'

/** The text of each page; a scanned page has none. */
export const readPdf: Reader<Uint8Array> = async (bytes, _material, output) => {
  const document = await opened(bytes)
  const { numPages } = document
  if (numPages > pagesAtMost) {
    throw new ExtractFailure('too_large', `It has more than ${pagesAtMost} pages.`)
  }
  let faults = 0
  for (let number = 1; number <= numPages; number++) {
    if (!(await addPage(document, number, output))) faults++
  }
  if (faults > 0 && faults === numPages) throw broken()
  return { title: await titleOf(document), mediaType: 'application/pdf' }
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

/** @returns false if the page is broken, which does not keep the others from being read */
async function addPage(
  document: PDFDocumentProxy,
  number: number,
  output: Output,
): Promise<boolean> {
  let page: PDFPageProxy | undefined
  let text: string
  try {
    page = await document.getPage(number)
    text = textOf((await page.getTextContent()).items)
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    return false
  } finally {
    page?.cleanup()
  }
  output.addPassage({ text: visible(text), markup: 'plain', place: `page ${number}` })
  return true
}

interface Item {
  str: string
  /** Scale, rotation and position; the last number is the height above the bottom. */
  transform: number[]
  height: number
  hasEOL: boolean
}

/** Lines further apart than usual separate paragraphs; words broken at a line's end are joined. */
function textOf(items: readonly object[]): string {
  const pieces: string[] = []
  let last: number | undefined
  let isNewLine = false
  for (const item of items) {
    if (!isText(item)) continue
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

function isText(item: object): item is Item {
  return 'str' in item && 'transform' in item
}

async function titleOf(document: PDFDocumentProxy): Promise<string | null> {
  const said: unknown = await document.getMetadata().then(
    ({ info }) => ('Title' in info ? info.Title : null),
    () => null,
  )
  return typeof said === 'string' ? said : null
}
