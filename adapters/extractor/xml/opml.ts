import type { Reader } from '../output.ts'
import { localName, xmlEvents, type Attributes } from './events.ts'
import { addEntry } from './feed.ts'

/** OPML of any version, as lists of subscriptions: a chunk of each outline that has an address, at any depth. */
export const readOpml: Reader<string> = async (text, material, output) => {
  let title: string | undefined
  let isTitle = false
  for (const event of xmlEvents(text)) {
    if (event.kind === 'text') {
      if (isTitle) title = (title ?? '') + event.text
      continue
    }
    const name = localName(event.name)
    isTitle = event.kind === 'open' && name === 'title' && title === undefined
    if (event.kind === 'close' || name !== 'outline') continue
    const link = first(event.attributes, ['htmlurl', 'url', 'xmlurl'])
    if (link === undefined) continue
    const entry = {
      title: first(event.attributes, ['title', 'text']) ?? link,
      link,
      date: event.attributes.get('created'),
      text: first(event.attributes, ['description']) ?? '',
      isHtml: true,
    }
    await addEntry(entry, material, output)
  }
  return { title: title ?? null, mediaType: 'text/x-opml' }
}

/** The first of these that says something. */
function first(attributes: Attributes, names: readonly string[]): string | undefined {
  return names
    .map((name) => attributes.get(name))
    .find((said) => said !== undefined && /\S/.test(said))
}
