import { html, type Html, type Part } from '#src/core/html/html.ts'

/**
 * Markup of our own Markdown: headings, paragraphs, lists, tables, blocks of code; in texts code, bold
 * and links. What else Markdown knows stands there as it is.
 * @param hrefOf where a link leads
 */
export function markupOf(markdown: string, hrefOf = (target: string) => target): Html {
  const lines = markdown.split('\n')
  const parts: Html[] = []
  let at = 0
  while (at < lines.length) {
    const [part, next] = blockAt(lines, at, hrefOf)
    if (part) parts.push(part)
    at = next
  }
  return html`${parts}`
}

type HrefOf = (target: string) => string
type Block = [Html | undefined, next: number]

function blockAt(lines: readonly string[], at: number, hrefOf: HrefOf): Block {
  const line = lines[at] ?? ''
  if (line.trim() === '') return [undefined, at + 1]
  if (line.startsWith('```')) return codeAt(lines, at)
  const [, signs, title] = /^(#{1,4}) (.+)$/.exec(line) ?? []
  if (signs && title) return [headingOf(signs.length, title, hrefOf), at + 1]
  if (line.startsWith('|')) return tableAt(lines, at, hrefOf)
  if (item.test(line)) return listAt(lines, at, hrefOf)
  const end = endOf(lines, at, (next) => next.trim() !== '' && !beginsBlock.test(next))
  const text = lines.slice(at, end).join('\n')
  return [html`<p>${inline(text, hrefOf)}</p>`, end]
}

const item = /^(?:-|\d+\.) +/
const beginsBlock = /^(?:```|#{1,4} |\||- |\d+\. )/

/** The line behind those that belong together. */
function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let end = at + 1
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1
  return end
}

function codeAt(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at, (line) => line !== '```')
  const text = lines.slice(at + 1, end).join('\n')
  // Who reads with the keyboard scrolls what is wider than the page.
  return [html`<pre tabindex="0"><code>${text}</code></pre>`, end + 1]
}

function headingOf(level: number, title: string, hrefOf: HrefOf): Html {
  const id = anchorOf(title)
  const text = inline(title, hrefOf)
  if (level === 1) return html`<h1 id="${id}">${text}</h1>`
  if (level === 2) return html`<h2 id="${id}">${text}</h2>`
  return level === 3 ? html`<h3 id="${id}">${text}</h3>` : html`<h4 id="${id}">${text}</h4>`
}

/** As links to sections are spelled. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}

function tableAt(lines: readonly string[], at: number, hrefOf: HrefOf): Block {
  const end = endOf(lines, at, (line) => line.startsWith('|'))
  const [heads = [], , ...rows] = lines.slice(at, end).map(cellsOf)
  const body = rows.map((row) => {
    const cells = row.map((cell) => html`<td>${inline(cell, hrefOf)}</td>`)
    return html`<tr>
      ${cells}
    </tr>`
  })
  const head = heads.map((cell) => html`<th scope="col">${inline(cell, hrefOf)}</th>`)
  const table = html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`
  return [table, end]
}

function cellsOf(line: string): string[] {
  const inside = line.replace(/^\|/, '').replace(/\|\s*$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Lines that are moved in belong to the item before them. */
function listAt(lines: readonly string[], at: number, hrefOf: HrefOf): Block {
  const isOrdered = /^\d/.test(lines[at] ?? '')
  const end = endOf(lines, at, (line) => item.test(line) || /^ +\S/.test(line))
  const texts: string[] = []
  for (const line of lines.slice(at, end)) {
    if (item.test(line)) texts.push(line.replace(item, ''))
    else texts.push(`${texts.pop() ?? ''}\n${line.trim()}`)
  }
  const items = texts.map((text) => html`<li>${inline(text, hrefOf)}</li>`)
  return isOrdered
    ? [
        html`<ol>
          ${items}
        </ol>`,
        end,
      ]
    : [
        html`<ul>
          ${items}
        </ul>`,
        end,
      ]
}

const marks =
  /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s()<>"'`*[\]]*[\w/])/gs

function inline(text: string, hrefOf: HrefOf): Part {
  const parts: Part[] = []
  let done = 0
  for (const found of text.matchAll(marks)) {
    const [all, code, bold, label, target, address] = found
    parts.push(text.slice(done, found.index))
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold, hrefOf)}</strong>`)
    else if (address !== undefined) parts.push(html`<a href="${hrefOf(address)}">${address}</a>`)
    else parts.push(html`<a href="${hrefOf(target ?? '')}">${inline(label ?? '', hrefOf)}</a>`)
    done = found.index + all.length
  }
  return [...parts, text.slice(done)]
}
