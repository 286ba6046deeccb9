import { ExtractFailure } from '#src/ports/extractor.ts'

/** As deep as browsers follow a page, and deeper than any carefully written page. */
const deepest = 400

/** Each costs memory, regardless of its content. */
const piecesAtMost = 400_000

const empty = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
/** Elements whose content is not markup. */
const raw = new Set('script style textarea title xmp noscript iframe noembed noframes'.split(' '))
const rows = new Set(['tr', 'td', 'th'])
/** Elements closed by the next of their kind, even without an end tag. */
const ended: Readonly<Record<string, ReadonlySet<string>>> = {
  p: new Set(['p']),
  li: new Set(['li', 'p']),
  dt: new Set(['dt', 'dd', 'p']),
  dd: new Set(['dt', 'dd', 'p']),
  option: new Set(['option']),
  tr: rows,
  td: new Set(['td', 'th']),
  th: new Set(['td', 'th']),
  tbody: new Set([...rows, 'tbody', 'thead']),
}

/**
 * A page without the tags that are nested too deeply; their content stays. The parser's time grows with
 * the square of the depth. This reads tags roughly as the parser does, once and from left to right.
 * @throws ExtractFailure if the parser would make too many nodes of it
 */
export function flattened(html: string): string {
  const open: string[] = []
  const kept: string[] = []
  let pieces = countOf(html, '&')
  let tooDeep = 0
  let from = 0
  const drop = (start: number, end: number): void => {
    kept.push(html.slice(from, start))
    from = end
  }
  if (pieces > piecesAtMost) throw tooManyPieces()
  for (const { start, end, name, isEnd } of tagsOf(html)) {
    if (++pieces > piecesAtMost) throw tooManyPieces()
    if (empty.has(name)) continue
    if (isEnd) {
      if (tooDeep > 0) {
        tooDeep--
        drop(start, end)
      } else close(open, name)
      continue
    }
    const implied = ended[name]
    while (implied?.has(open.at(-1) ?? '')) open.pop()
    if (open.length < deepest) open.push(name)
    else {
      tooDeep++
      drop(start, end)
    }
  }
  return from === 0 ? html : kept.join('') + html.slice(from)
}

const tooManyPieces = (): ExtractFailure =>
  new ExtractFailure('too_costly', 'The page has too many parts.')

function countOf(text: string, mark: string): number {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count++
  return count
}

function close(open: string[], name: string): void {
  const at = open.lastIndexOf(name)
  if (at !== -1) open.length = at
}

interface Tag {
  start: number
  end: number
  name: string
  isEnd: boolean
}

const tagName = /<(\/?)([a-z][^\s/>]{0,60})/iy

function* tagsOf(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end === -1) return
      at = end + 3
      continue
    }
    tagName.lastIndex = at
    const found = tagName.exec(html)
    if (!found) {
      // A bracket that begins no tag separates two texts.
      yield { start: at, end: at + 1, name: 'wbr', isEnd: false }
      at++
      continue
    }
    const [opening, slash, written = ''] = found
    const name = written.toLowerCase()
    const end = tagEnd(html, at + opening.length)
    if (html[end - 2] !== '/' || !slash) yield { start: at, end, name, isEnd: slash === '/' }
    at = end
    if (slash === '' && raw.has(name)) at = rawEnd(html, name, end)
  }
}

/** The position after the bracket that ends a tag; quoted values may contain brackets. */
function tagEnd(html: string, from: number): number {
  let quote: string | undefined
  for (let at = from; at < html.length; at++) {
    const mark = html[at]
    if (quote !== undefined) {
      if (mark === quote) quote = undefined
    } else if (mark === '>') return at + 1
    else if ((mark === '"' || mark === "'") && /[=\s]/.test(html[at - 1] ?? '')) quote = mark
  }
  return html.length
}

function rawEnd(html: string, name: string, from: number): number {
  const mark = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  mark.lastIndex = from
  return mark.exec(html)?.index ?? html.length
}
