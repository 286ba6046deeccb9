import type { Material } from '#src/ports/extractor.ts'

/** What a text may be read as. */
export type TextKind = 'html' | 'markdown' | 'plain' | 'json' | 'json_lines' | 'csv' | 'tsv' | 'xml'

const byType: Readonly<Record<string, TextKind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'application/json': 'json',
  'application/ld+json': 'json',
  'application/feed+json': 'json',
  'application/x-ndjson': 'json_lines',
  'application/jsonl': 'json_lines',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'tsv',
}

const byEnding: Readonly<Record<string, TextKind>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  json: 'json',
  jsonl: 'json_lines',
  ndjson: 'json_lines',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
}

/** The declared kind of a text: by its type, or by its name if the type is plain text. */
export function hintOf({ mediaType, filename, url }: Material): TextKind | undefined {
  const type = mediaType?.slice(0, 200).split(';')[0]?.trim().toLowerCase() ?? ''
  const name = filename ?? pathOf(url)
  const ending = /\.([a-z]{2,8})$/i.exec(name.slice(-200))?.[1]?.toLowerCase() ?? ''
  return byType[type] ?? byEnding[ending]
}

function pathOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).pathname : ''
}

/** The first tag of a page or of XML, after anything that may precede it. */
export function rootOf(text: string): string | undefined {
  let at = 0
  // Each step takes one declaration or comment, so many of them cost only their number.
  for (let steps = 0; steps < 100; steps++) {
    at += /^[\s\ufeff]*/.exec(text.slice(at, at + 10_000))?.[0].length ?? 0
    if (text.startsWith('<!--', at)) at = endOf(text, '-->', at)
    else if (text.startsWith('<?', at)) at = endOf(text, '?>', at)
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) {
      if (/^<!doctype\s+html\b/i.test(text.slice(at, at + 100))) return 'html'
      at = endOf(text, '>', at)
    } else break
  }
  return /^<([a-z][\w.:-]{0,60})(?=[\s/>])/i.exec(text.slice(at, at + 64))?.[1]?.toLowerCase()
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

const pageTags = new Set(
  (
    'html head body title meta link script style main article section header footer nav div p span' +
    ' h1 h2 h3 h4 h5 h6 ul ol li table a img br hr pre blockquote form center font b i'
  ).split(' '),
)

/** The kind of a text by its content, else the hinted kind. */
export function kindOf(text: string, hint: TextKind | undefined): TextKind {
  const root = rootOf(text)
  if (root === 'html') return 'html'
  if (/^\s*<\?xml\s/.test(text.slice(0, 1_000))) return 'xml'
  // Markdown may begin with a tag, and so may any text whose kind is declared.
  if (root !== undefined && hint === undefined) return pageTags.has(root) ? 'html' : 'xml'
  if (hint === 'html') return /<[a-z!/][^<>]{0,500}>/i.test(text.slice(0, 100_000)) ? hint : 'plain'
  if (hint === 'csv' || hint === 'tsv' || hint === 'markdown' || hint === 'json_lines') return hint
  return /^\s*[[{]/.test(text.slice(0, 10_000)) ? 'json' : 'plain'
}
