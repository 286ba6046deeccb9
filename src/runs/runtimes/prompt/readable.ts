const unread = /^(?:script|style|noscript|template|svg|head)$/i
const breaking = /^(?:p|div|br|li|tr|h[1-6]|section|article|ul|ol|table|pre|blockquote)$/i
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}

/** What of a page a model can read: its text without the markup; other texts as they are. */
export function readable(body: string, contentType: string): string {
  const isHtml = /\bhtml\b/i.test(contentType) || /^\s{0,99}<(?:!doctype html|html)\b/i.test(body)
  return isHtml ? textOf(body) : body
}

/** One pass from tag to tag, so that no page takes long. */
function textOf(html: string): string {
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    parts.push(html.slice(at, open < 0 ? html.length : open))
    if (open < 0) break
    const close = html.indexOf('>', open)
    if (close < 0) break
    const name = /^[a-z][a-z0-9]*/i.exec(html.slice(open + 1, open + 16))?.[0] ?? ''
    at = close + 1
    if (unread.test(name)) at = endOf(html, name, at)
    else if (breaking.test(name)) parts.push('\n')
  }
  return parts
    .join('')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean).join(' '))
    .filter(Boolean)
    .join('\n')
}

/** Where the element that is not read has ended; the end of the page where it never does. */
function endOf(html: string, name: string, from: number): number {
  for (let at = from; ;) {
    const end = html.indexOf('</', at)
    if (end < 0) return html.length
    if (html.slice(end + 2, end + 2 + name.length).toLowerCase() === name.toLowerCase()) return end
    at = end + 2
  }
}
