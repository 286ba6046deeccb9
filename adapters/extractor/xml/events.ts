import { ExtractFailure } from '#src/ports/extractor.ts'

/** What a document in XML is made of, in the order of its text. Names are as they are written. */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: string; end: number }
  | { kind: 'close'; name: string; start: number }
  | { kind: 'text'; text: string }

const tag = /<(\/?)([^\s<>/!?'"=]{1,200})/y
const entity = /&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi
const known: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Reads XML leniently, once and from left to right: what feeds are is often no XML. Declares no
 * entities and fetches nothing.
 * @throws ExtractFailure where it declares entities
 */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  let at = 0
  while (at < xml.length) {
    const next = xml.indexOf('<', at)
    const end = next === -1 ? xml.length : next
    if (end > at) yield { kind: 'text', text: unescaped(xml.slice(at, end)) }
    if (next === -1) return
    if (xml.startsWith('<![CDATA[', next)) {
      const close = endOf(xml, ']]>', next + 9)
      yield { kind: 'text', text: xml.slice(next + 9, close - 3) }
      at = close
    } else if (xml.startsWith('<!--', next)) at = endOf(xml, '-->', next + 4)
    else if (xml.startsWith('<?', next)) at = endOf(xml, '?>', next)
    else if (xml.startsWith('<!', next)) at = declarationEnd(xml, next)
    else {
      tag.lastIndex = next
      const found = tag.exec(xml)
      if (!found) {
        yield { kind: 'text', text: '<' }
        at = next + 1
        continue
      }
      const [opening, slash, name = ''] = found
      const from = next + opening.length
      at = tagEnd(xml, from)
      const isEmpty = xml[at - 2] === '/'
      if (slash === '') yield { kind: 'open', name, attributes: xml.slice(from, at - 1), end: at }
      if (slash !== '' || isEmpty) yield { kind: 'close', name, start: slash === '' ? at : next }
    }
  }
}

function endOf(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from)
  return at === -1 ? xml.length : at + mark.length
}

/** A declaration of entities may unfold to anything, or name files and addresses. */
function declarationEnd(xml: string, from: number): number {
  const close = endOf(xml, '>', from)
  const subset = xml.slice(from, close).indexOf('[')
  const end = subset === -1 ? close : endOf(xml, ']>', from)
  if (/<!ENTITY/i.test(xml.slice(from, end))) {
    throw new ExtractFailure('broken', 'It declares entities, which are not read.')
  }
  return end
}

function tagEnd(xml: string, from: number): number {
  let quote: string | undefined
  for (let at = from; at < xml.length; at++) {
    const mark = xml[at]
    if (quote !== undefined) {
      if (mark === quote) quote = undefined
    } else if (mark === '>') return at + 1
    else if (mark === '"' || mark === "'") quote = mark
  }
  return xml.length
}

/** With the characters that its entities stand for; once, so that nothing unfolds to more. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (whole, name: string) => {
    if (!name.startsWith('#')) return known[name.toLowerCase()] ?? whole
    const isHex = name[1] === 'x' || name[1] === 'X'
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/** The value of an attribute; undefined where it has none of that name. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const pattern = /([^\s=/"'<>]{1,100})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g
  for (const [, found, double, single] of attributes.slice(0, 4_000).matchAll(pattern)) {
    if (found?.toLowerCase() === name) return unescaped(double ?? single ?? '')
  }
  return undefined
}

/** The name without its prefix, in lower case. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
