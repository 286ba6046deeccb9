import { ExtractFailure, type Material } from '#src/ports/extractor.ts'
import { fragmentOf } from '../html/page.ts'
import type { Output, Reader } from '../output.ts'
import { titled, visible } from '../visible.ts'
import { localName, xmlEvents, type Attributes, type XmlEvent } from './events.ts'

/** What an entry says about itself. */
export interface Entry {
  title: string
  link: string | undefined
  date: string | undefined
  text: string
  isHtml: boolean
}

const types: Readonly<Record<string, string>> = {
  rss: 'application/rss+xml',
  rdf: 'application/rss+xml',
  feed: 'application/atom+xml',
}

/** RSS 2.0 and before, RSS 1.0, and Atom: chunks of each entry, located at its address. */
export const readFeed: Reader<string> = async (text, material, output) => {
  const feed = new FeedReader()
  for (const event of xmlEvents(text)) {
    feed.take(event, text)
    const mediaType = types[feed.root ?? 'rss']
    if (mediaType === undefined) throw noFeed()
    for (const entry of feed.entries.splice(0)) await addEntry(entry, material, output)
  }
  const mediaType = types[feed.root ?? '']
  if (mediaType === undefined) throw noFeed()
  return { title: feed.title ?? null, mediaType }
}

export const noFeed = (): ExtractFailure => new ExtractFailure('type_unsupported', 'It is no feed.')

/** @throws ExtractFailure */
export async function addEntry(entry: Entry, { url }: Material, output: Output): Promise<void> {
  const address =
    entry.link === undefined ? undefined : URL.parse(entry.link.trim(), url ?? undefined)
  const link = address && /^https?:$/.test(address.protocol) ? address.href : null
  const isMarked = entry.isHtml && /[<&]/.test(entry.text)
  const body = isMarked ? await fragmentOf(entry.text, link ?? url) : entry.text
  const title = titled(entry.title.replace(/<[^<>]{0,500}>/g, ''))
  const parts = [title === null ? '' : `# ${title}`, dayOf(entry.date), visible(body)]
  output.addPassage({
    text: parts.filter((part) => part !== '').join('\n\n'),
    markup: 'markdown',
    place: link?.slice(0, 2_000) ?? null,
  })
}

function dayOf(date: string | undefined): string {
  const time = Date.parse(date?.trim().slice(0, 100) ?? '')
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10)
}

/** Maps an element's name to a member; the first of a list is preferred. */
const texts = ['encoded', 'content', 'description', 'summary']
const dates = ['pubdate', 'published', 'date', 'updated', 'issued']

interface Open {
  name: string
  tag: string
  end: number
  type: string
  text: string
  hasTags: boolean
}

interface Draft {
  said: Map<string, { text: string; type: string }>
  link: string | undefined
}

/** Collects the members of a feed and of its entries; elements nested in one are part of its text. */
class FeedReader {
  root: string | undefined
  title: string | undefined
  readonly entries: Entry[] = []
  #draft: Draft | undefined
  #member: Open | undefined
  /** Depth of nested elements with the member's name. */
  #inner = 0

  take(event: XmlEvent, xml: string): void {
    if (event.kind === 'text') {
      if (this.#member) this.#member.text += event.text
    } else if (event.kind === 'open') this.#open(event)
    else this.#close(event, xml)
  }

  #open({ name, attributes, end }: XmlEvent & { kind: 'open' }): void {
    const local = localName(name)
    this.root ??= local
    if (this.#member) {
      // Its content may be HTML, whose tags are not all closed.
      if (name === this.#member.tag) this.#inner++
      this.#member.hasTags = true
      return
    }
    if (local === 'item' || local === 'entry') {
      this.#draft = { said: new Map(), link: undefined }
      return
    }
    const isKnown = this.#draft ? true : local === 'title'
    if (!isKnown || local === 'channel' || local === this.root) return
    if (local === 'link' && this.#draft) this.#link(attributes, this.#draft)
    const type = attributes.get('type') ?? ''
    // A prefixed title, such as that of a picture, is a member of its own.
    const own = /^(?:media|itunes|image):/i.test(name) ? `other:${local}` : local
    this.#member = { name: own, tag: name, end, type, text: '', hasTags: false }
    this.#inner = 0
  }

  #link(attributes: Attributes, draft: Draft): void {
    const href = attributes.get('href')
    const relation = attributes.get('rel') ?? 'alternate'
    if (href !== undefined && relation === 'alternate') draft.link ??= href
  }

  #close({ name, start }: { name: string; start: number }, xml: string): void {
    const member = this.#member
    const isEntry = /^(?:item|entry)$/.test(localName(name))
    if (member && name === member.tag && this.#inner > 0) this.#inner--
    else if (member && (name === member.tag || isEntry)) {
      this.#member = undefined
      this.#keep(member, xml.slice(member.end, start))
    }
    if (isEntry) this.#finish()
  }

  #keep(member: Open, inner: string): void {
    const text = member.hasTags ? inner : member.text
    const type = member.hasTags ? 'xhtml' : member.type
    if (!this.#draft) {
      if (member.name === 'title') this.title ??= text
    } else if (!this.#draft.said.has(member.name)) this.#draft.said.set(member.name, { text, type })
  }

  #finish(): void {
    const draft = this.#draft
    this.#draft = undefined
    if (!draft) return
    const { said } = draft
    const first = (names: readonly string[]) => {
      return names.map((name) => said.get(name)).find((one) => one && one.text.trim() !== '')
    }
    const text = first(texts)
    const identity = first(['guid', 'id'])?.text
    this.entries.push({
      title: first(['title'])?.text ?? '',
      link:
        draft.link ??
        first(['link'])?.text ??
        (/^\s*https?:/.test(identity ?? '') ? identity : undefined),
      date: first(dates)?.text,
      text: text?.text ?? '',
      // Atom declares its type; RSS never does, and means HTML.
      isHtml: this.root === 'feed' ? text?.type !== '' && text?.type !== 'text' : true,
    })
  }
}
