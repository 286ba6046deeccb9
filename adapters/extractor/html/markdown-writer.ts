import { nameOf, type PageElement } from './dom.ts'
import { tabled } from './tables.ts'

/** Block elements. */
const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset' +
    ' figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav' +
    ' ol option p pre section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
)
const deepest = 6
const longestLink = 1_000

interface Piece {
  text: string
  isItem: boolean
}

/** Turns the nodes met on a walk through a page into Markdown, in linear time. */
export class MarkdownWriter {
  readonly #base: string | null
  readonly #done: Piece[] = []
  #line: string[] = []
  /** The mark that the next block begins with: of a heading or a list item. */
  #lead = ''
  #isItem = false
  readonly #lists: { isOrdered: boolean; next: number }[] = []
  #quotes = 0
  #link: { element: PageElement; at: number } | undefined
  #code: { element: PageElement; language: string } | undefined
  #table: { element: PageElement; rows: string[][]; isInCell: boolean } | undefined

  /** @param base the base of relative links */
  constructor(base: string | null) {
    this.#base = base
  }

  markdown(): string {
    this.#flush()
    let text = ''
    let wasItem = false
    for (const piece of this.#done) {
      text += (text === '' ? '' : wasItem && piece.isItem ? '\n' : '\n\n') + piece.text
      wasItem = piece.isItem
    }
    return text
  }

  text(data: string): void {
    this.#line.push(this.#code ? data : collapsed(data))
  }

  /** @returns whether to descend into the element */
  enter(element: PageElement): boolean {
    const name = nameOf(element)
    if (name === 'br') this.#line.push(this.#table?.isInCell ? ' ' : '\n')
    // An annotation repeats the displayed formula in its source form.
    if (name === 'br' || name.startsWith('annotation')) return false
    if (this.#code) {
      if (name === 'code') this.#code.language ||= languageOf(element)
      return true
    }
    if (blocks.has(name)) this.#open(name, element)
    else if (name === 'a') this.#link ??= { element, at: this.#line.length }
    else if (name === 'code') this.#line.push('`')
    return true
  }

  leave(element: PageElement): void {
    const name = nameOf(element)
    if (this.#code) {
      if (this.#code.element === element) this.#closeCode()
    } else if (blocks.has(name)) this.#close(name, element)
    else if (this.#link?.element === element) this.#closeLink()
    else if (name === 'code') this.#line.push('`')
  }

  #open(name: string, element: PageElement): void {
    this.#flush()
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (name === 'table' && !this.#table && isOfData(element)) {
      this.#table = { element, rows: [], isInCell: false }
    } else if (this.#table) this.#openInTable(name, this.#table)
    else if (level !== undefined) this.#lead = `${'#'.repeat(Number(level))} `
    else if (name === 'pre') this.#code = { element, language: languageOf(element) }
    else if (name === 'blockquote') this.#quotes++
    else if (name === 'ul' || name === 'ol' || name === 'menu') this.#openList(name, element)
    else if (name === 'li') this.#openItem()
  }

  #openInTable(name: string, table: { rows: string[][]; isInCell: boolean }): void {
    if (name === 'tr') table.rows.push([])
    if (name === 'td' || name === 'th') table.isInCell = true
  }

  #openList(name: string, element: PageElement): void {
    const start = Number.parseInt(element.getAttribute('start') ?? '', 10)
    const next = Number.isSafeInteger(start) && start >= 0 && start < 1e8 ? start : 1
    this.#lists.push({ isOrdered: name === 'ol', next })
  }

  #openItem(): void {
    const list = this.#lists.at(-1)
    const marker = list?.isOrdered ? `${list.next++}. ` : '- '
    this.#lead = '  '.repeat(Math.max(0, Math.min(this.#lists.length, deepest) - 1)) + marker
    this.#isItem = true
  }

  #close(name: string, element: PageElement): void {
    const table = this.#table
    if (table?.isInCell && (name === 'td' || name === 'th')) return this.#closeCell(table)
    this.#flush()
    if (table?.element === element) {
      this.#table = undefined
      for (const text of tabled(table.rows)) this.#done.push({ text, isItem: false })
    } else if (table) return
    else if (name === 'blockquote') this.#quotes--
    else if (name === 'ul' || name === 'ol' || name === 'menu') this.#lists.pop()
    // The mark of an element without text is dropped.
    if (name === 'li' || /^h[1-6]$/.test(name)) [this.#lead, this.#isItem] = ['', false]
  }

  #closeCell(table: { rows: string[][]; isInCell: boolean }): void {
    const row = table.rows.at(-1)
    const text = collapsed(this.#line.join('')).trim()
    if (row) row.push(text)
    else table.rows.push([text])
    table.isInCell = false
    this.#line = []
    this.#link = undefined
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = undefined
    if (!link) return
    const label = this.#line.splice(link.at).join('')
    const href = label.trim() === '' ? undefined : this.#addressed(link.element)
    this.#line.push(href === undefined ? label : linked(label, href))
  }

  /** The absolute address, if it can be followed; otherwise only the link's text is kept. */
  #addressed(element: PageElement): string | undefined {
    const href = (element.getAttribute('href') ?? '').trim()
    if (href === '' || href.startsWith('#') || href.length > longestLink) return undefined
    const url = URL.parse(href, this.#base ?? undefined)
    if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return undefined
    return url.href.replace(/[()]/g, encodeURIComponent)
  }

  #closeCode(): void {
    const { language } = this.#code ?? { language: '' }
    const text = this.#line
      .join('')
      .trimEnd()
      .replace(/^\s*\n/, '')
    this.#code = undefined
    this.#line = []
    if (text === '') return
    let marks = '```'
    while (text.includes(marks)) marks += '`'
    this.#done.push({ text: `${marks}${language}\n${text}\n${marks}`, isItem: false })
  }

  #flush(): void {
    if (this.#table?.isInCell) {
      this.#line.push(' ')
      return
    }
    this.#link = undefined
    if (this.#line.length === 0) return
    const text = this.#line
      .join('')
      .replace(/(?<! ) *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .trim()
    this.#line = []
    if (text === '') return
    const isHeading = this.#lead.startsWith('#')
    const marked = this.#lead + (isHeading ? collapsed(text) : escaped(text))
    const quote = '> '.repeat(Math.min(this.#quotes, 3))
    this.#done.push({
      text: quote === '' ? marked : quote + marked.replaceAll('\n', `\n${quote}`),
      isItem: this.#isItem,
    })
    ;[this.#lead, this.#isItem] = ['', false]
  }
}

/** Blanks around a label stay outside of its brackets. */
function linked(label: string, href: string): string {
  const [front, back] = [label.trimStart(), label.trimEnd()]
  const before = label.slice(0, label.length - front.length)
  return `${before}[${label.trim()}](${href})${label.slice(back.length)}`
}

/** With one space for each run of blanks. Most of a long text needs no change, and is not copied. */
function collapsed(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, ' ')
}

/** Escapes text that would be read as a heading or the beginning of code. */
function escaped(text: string): string {
  return text.replace(/^(?=#{1,6}\s|`{3}|~{3})/gm, '\\')
}

function languageOf(element: PageElement): string {
  const said = /(?:^|\s)lang(?:uage)?-([\w+#.-]{1,30})/.exec(element.getAttribute('class') ?? '')
  return said?.[1] ?? ''
}

/** A table that contains block elements is used for layout, and is read as ordinary content. */
function isOfData(table: PageElement): boolean {
  return table.querySelector('table, h1, h2, h3, h4, pre, p + p') === null
}
