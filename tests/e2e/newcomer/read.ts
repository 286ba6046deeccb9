/** A link of a list in Markdown, and what is said of it. */
export interface Link {
  title: string
  url: string
  note: string
}

/** A block of code in Markdown. */
export interface Block {
  /** The words behind its opening. */
  info: string
  text: string
  /** The heading that it stands below. */
  heading: string
}

/** The text at an address. @throws Error when there is none */
export async function read(url: string): Promise<string> {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

/** The JSON at an address, in the form of its format. */
export async function readJson<T>(url: string): Promise<T> {
  // A published format, on which its readers rely.
  return JSON.parse(await read(url)) as T
}

export function linksOf(markdown: string): Link[] {
  const found = markdown.matchAll(/^- \[([^\]]+)\]\(([^)\s]+)\)(?:: (.*))?$/gm)
  return [...found].map(([, title = '', url = '', note = '']) => ({ title, url, note }))
}

/** The link that speaks of all of these words. @throws Error when there is none, or more than one */
export function linkAbout(links: readonly Link[], ...words: readonly RegExp[]): Link {
  const fitting = links.filter((link) =>
    words.every((word) => word.test(`${link.title} ${link.note}`)),
  )
  const [first] = fitting
  if (!first || fitting.length > 1) {
    throw new Error(`${fitting.length} links speak of ${words.join(' and ')}`)
  }
  return first
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { info: string; lines: string[] } | undefined
  for (const line of markdown.split('\n')) {
    if (open) {
      if (line !== '```') open.lines.push(line)
      else {
        blocks.push({ info: open.info, text: open.lines.join('\n'), heading })
        open = undefined
      }
      continue
    }
    const [, info] = /^```(.+)$/.exec(line) ?? []
    if (info !== undefined) open = { info, lines: [] }
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
  }
  return blocks
}
