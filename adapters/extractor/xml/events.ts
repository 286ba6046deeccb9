import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { ExtractFailure } from '#src/ports/extractor.ts'

/** Values of attributes by lower-case name; the first of each name counts. */
export type Attributes = ReadonlyMap<string, string>

/** The parts of an XML document in the order of its text. Names are as written. */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: Attributes; end: number }
  | { kind: 'close'; name: string; start: number }
  | { kind: 'text'; text: string }

/** Characters parsed before their events are emitted. */
const stepCharacters = 65_536
/** Per element; the rest is skipped. */
const attributesAtMost = 50
const charactersOfAttributeAtMost = 4_000

/**
 * Reads XML leniently, once and from left to right: feeds are often not well-formed. It declares no
 * entities, fetches nothing, and does not track open elements, so depth costs nothing.
 * @throws ExtractFailure if the document declares entities
 */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  const reader = new EventReader(xml)
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, reader)
  for (let at = 0; at < xml.length; at += stepCharacters) {
    tokenizer.write(xml.slice(at, at + stepCharacters))
    yield* reader.events.splice(0)
  }
  tokenizer.end()
  yield* reader.events
}

/** The failure of a document that may expand to anything. */
export function entitiesDeclared(): ExtractFailure {
  return new ExtractFailure('broken', 'It declares entities, which are not read.')
}

/** The text of a piece of XML, with its entities resolved. */
export function textIn(xml: string): string {
  return [...xmlEvents(xml)].map((event) => (event.kind === 'text' ? event.text : '')).join('')
}

/** The name without its prefix, in lower case. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

/** Turns the tokenizer's callbacks, which give positions, into events. */
class EventReader implements TokenizerCallbacks {
  readonly events: XmlEvent[] = []
  readonly #xml: string
  #name = ''
  #attributes = new Map<string, string>()
  #attribute = ''
  #value = ''

  constructor(xml: string) {
    this.#xml = xml
  }

  ontext(start: number, end: number): void {
    this.events.push({ kind: 'text', text: this.#xml.slice(start, end) })
  }

  ontextentity(code: number): void {
    this.events.push({ kind: 'text', text: String.fromCodePoint(code) })
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset)
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#xml.slice(start, end)
    this.#attributes = new Map()
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#xml.slice(start, end).toLowerCase()
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    const room = charactersOfAttributeAtMost - this.#value.length
    this.#value += this.#xml.slice(start, Math.min(end, start + room))
  }

  onattribentity(code: number): void {
    if (this.#value.length < charactersOfAttributeAtMost) this.#value += String.fromCodePoint(code)
  }

  onattribend(): void {
    const isKept =
      this.#attributes.size < attributesAtMost && !this.#attributes.has(this.#attribute)
    if (isKept) this.#attributes.set(this.#attribute, this.#value)
  }

  onopentagend(end: number): void {
    const [name, attributes] = [this.#name, this.#attributes]
    this.events.push({ kind: 'open', name, attributes, end: end + 1 })
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end)
    this.events.push({ kind: 'close', name: this.#name, start: end + 1 })
  }

  onclosetag(start: number, end: number): void {
    const name = this.#xml.slice(start, end)
    this.events.push({ kind: 'close', name, start: this.#xml.lastIndexOf('<', start) })
  }

  /** A declared entity may expand to anything, or name files and addresses. */
  ondeclaration(start: number, end: number): void {
    if (!/(?:^|<!)ENTITY/i.test(this.#xml.slice(start, end))) return
    throw entitiesDeclared()
  }

  oncomment(): void {
    // Says nothing to readers.
  }

  onprocessinginstruction(): void {
    // Means nothing here.
  }

  onend(): void {
    // An unclosed element is not an error.
  }
}
