import type { Reader } from './output.ts'
import { addEntry, noFeed } from './xml/feed.ts'

type Members = Record<string, unknown>

/** JSON Feed 1 and 1.1. */
export const readJsonFeed: Reader<string> = async (text, material, output) => {
  const feed = parsed(text)
  if (!isObject(feed) || !/jsonfeed\.org/.test(textOf(feed, 'version'))) throw noFeed()
  const items: unknown[] = Array.isArray(feed['items']) ? feed['items'] : []
  for (const item of items) {
    if (!isObject(item)) continue
    const html = textOf(item, 'content_html')
    const identity = textOf(item, 'id')
    const link = textOf(item, 'url') || textOf(item, 'external_url')
    await addEntry(
      {
        title: textOf(item, 'title'),
        link: link || (/^https?:/.test(identity) ? identity : undefined),
        date: textOf(item, 'date_published'),
        text: html || textOf(item, 'content_text') || textOf(item, 'summary'),
        isHtml: html !== '',
      },
      material,
      output,
    )
  }
  return { title: textOf(feed, 'title'), mediaType: 'application/feed+json' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw noFeed()
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(members: Members, name: string): string {
  const value = members[name]
  return typeof value === 'string' ? value : ''
}
