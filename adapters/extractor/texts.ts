import type { Reader } from './output.ts'
import { visible } from './visible.ts'

export const byLine = (line: number): string => `line ${line}`

export const readPlain: Reader<string> = (text, _material, output) => {
  output.addPassage({ text: visible(text), markup: 'plain', place: byLine })
  return { title: null, mediaType: 'text/plain' }
}

/**
 * Comments are not shown; each is replaced by its line breaks, so that the lines after it keep their
 * numbers.
 */
function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  for (let at = text.indexOf('<!--'); at !== -1; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at)
    if (end === -1) break
    kept.push(text.slice(from, at), '\n'.repeat(text.slice(at, end).split('\n').length - 1))
    from = end + 3
  }
  return kept.join('') + text.slice(from)
}

export const readMarkdown: Reader<string> = (text, _material, output) => {
  const shown = visible(withoutComments(text))
  const front = /^---\n([^]{0,20000}?)\n---(?:\n|$)/.exec(shown)
  const named = /^title:[ \t]*["']?([^\n]{1,300}?)["']?[ \t]*$/m.exec(front?.[1] ?? '')
  const first = /^ {0,3}#[ \t]+([^\n]{1,300})/m.exec(shown.slice(0, 50_000))
  output.addPassage({ text: shown, markup: 'markdown', place: byLine })
  return { title: named?.[1] ?? first?.[1] ?? null, mediaType: 'text/markdown' }
}

export const readPage: Reader<string> = async (text, { url }, output) => {
  const { pageOf } = await import('./html/page.ts')
  const { title, markdown } = await pageOf(text, url)
  output.addPassage({ text: visible(markdown), markup: 'markdown', place: null })
  return { title, mediaType: 'text/html' }
}
