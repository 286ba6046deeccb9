import { fragmentOf } from '../html/page.ts'
import type { Reader } from '../output.ts'
import { visible } from '../visible.ts'
import { entitiesDeclared, textIn } from '../xml/events.ts'
import { archiveOf, partsOf, type Part } from './zip.ts'

const wanted =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/(?:_rels\/)?[\w.-]+\.(?:xml|rels))$/
const main = /^word\/document\d*\.xml$/

/** Whether the files of an archive are those of a Word document. */
export function isDocument(names: readonly string[]): boolean {
  return names.includes('[Content_Types].xml') && names.some((name) => main.test(name))
}

/** The text of a Word document, without its pictures and comments. */
export const readDocx: Reader<Buffer> = async (archive, _material, output) => {
  const parts = partsOf(archive, (name) => wanted.test(name)).map(shownPart)
  const library = await import('mammoth')
  const { default: mammoth } = library
  // The input is not compressed, so the library expands nothing.
  const { value } = await mammoth.convertToHtml(
    { buffer: archiveOf(parts) },
    {
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      includeEmbeddedStyleMap: false,
    },
  )
  const markdown = await fragmentOf(value, null)
  output.addPassage({ text: visible(markdown), markup: 'markdown', place: null })
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  return { title: titleIn(parts) ?? /^# ([^\n]+)/.exec(markdown)?.[1] ?? null, mediaType: type }
}

function titleIn(parts: readonly Part[]): string | null {
  const core = parts
    .find(({ name }) => name === 'docProps/core.xml')
    ?.bytes.toString('utf8', 0, 20_000)
  const said = /<dc:title>([^<]{1,1000})<\/dc:title>/.exec(core ?? '')?.[1]
  return said === undefined ? null : textIn(said)
}

function shownPart({ name, bytes }: Part): Part {
  if (bytes.includes('<!DOCTYPE') || bytes.includes('<!ENTITY')) {
    throw entitiesDeclared()
  }
  if (!bytes.includes('<w:vanish')) return { name, bytes }
  return { name, bytes: Buffer.from(withoutHiddenRuns(bytes.toString())) }
}

const marks = /<w:r(?=[ >])|<\/w:r>|<w:vanish(?:\s+w:val="([^"<>]*)")?/g

/** Removes runs marked as hidden, which the library ignores. */
function withoutHiddenRuns(xml: string): string {
  const kept: string[] = []
  const open: { start: number; isHidden: boolean }[] = []
  let from = 0
  for (const { 0: mark, 1: value, index } of xml.matchAll(marks)) {
    const run = open.at(-1)
    if (mark === '<w:r') open.push({ start: index, isHidden: false })
    else if (mark !== '</w:r>') {
      if (run && !/^(?:0|false|off)$/.test(value ?? '')) run.isHidden = true
    } else {
      open.pop()
      if (!run?.isHidden || run.start < from) continue
      kept.push(xml.slice(from, run.start))
      from = index + mark.length
    }
  }
  return kept.join('') + xml.slice(from)
}
