import type { Material } from '#src/ports/extractor.ts'
import { titled } from './visible.ts'

/** A piece of the text of a page. */
export interface TextItem {
  str: string
  /** Scale, rotation and position; the last number is the height above the bottom. */
  transform: number[]
  height: number
  hasEOL: boolean
}

/** What programs write where no one has named the document. */
const nameless =
  /^[([]?(?:anonymous|untitled|unnamed|unspecified|no title)(?: document)?[ \d]*[)\]]?$/i
/** Printing from an office program names the program and the file. */
const printed = /^Microsoft (?:Word|PowerPoint|Excel) - (.+?)(?:\.(?:docx?|rtf|pptx?|xlsx?))?$/i

/** The title that a PDF gives, unless it says nothing; else its first heading; else the name of its file. */
export function titleOf(
  said: unknown,
  heading: string | undefined,
  { filename }: Pick<Material, 'filename'>,
): string | null {
  const given = titled(typeof said === 'string' ? said : null)
  const own = printed.exec(given ?? '')?.[1] ?? given
  if (own !== null && !nameless.test(own)) return own
  return titled(heading) ?? titled(nameOf(filename))
}

/** A name in an address is encoded. */
function nameOf(filename: string | null): string | null {
  try {
    return filename === null ? null : decodeURIComponent(filename)
  } catch {
    return filename
  }
}

/** Larger letters than these are a heading's, compared with those of most of the page. */
const largerBy = 1.2
const headingAtMost = 200

/** The first text of a page in its largest letters, if they are larger than most. */
export function headingOf(items: readonly TextItem[]): string | undefined {
  const shown = items.filter(({ str }) => str.trim() !== '')
  const letters = new Map<number, number>()
  let largest = 0
  for (const { height, str } of shown) {
    letters.set(height, (letters.get(height) ?? 0) + str.length)
    largest = Math.max(largest, height)
  }
  const [usual] = [...letters].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])
  if (largest < usual * largerBy) return undefined
  const from = shown.findIndex(({ height }) => height === largest)
  const after = shown.slice(from).findIndex(({ height }) => height !== largest)
  const lines = shown.slice(from, after === -1 ? undefined : from + after)
  const heading = lines.map(({ str }) => str.trim()).join(' ')
  return heading.length <= headingAtMost && /\p{L}/u.test(heading) ? heading : undefined
}
