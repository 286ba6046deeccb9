/** A guide as it stands in the repository. */
export interface Guide {
  /** Its name in addresses. */
  name: string
  title: string
  /** Its first paragraph: what a reader gets of it. */
  summary: string
  /** Markdown in which `{base_url}` stands for the address of the server. */
  source: string
}

/** The guides in the order in which they are read. */
export const guideNames = [
  'first-agent',
  'first-app',
  'working-as-a-brain',
  'schedules',
  'approvals',
  'knowledge',
  'commons',
  'webhooks',
  'payments',
  'running-it',
  'moving-to-mongodb',
] as const

/** Where the guides are, and where one of them is. */
export function addressOfGuide(name?: string): string {
  return name === undefined ? '/guides' : `/guides/${name}`
}

/** @throws Error when the text does not begin with a title and a paragraph */
export function guideOf(name: string, source: string): Guide {
  const [, title, first] = /^# (.+)\n\n((?:.+\n)+)/.exec(source) ?? []
  if (title === undefined || first === undefined) throw new Error(`the guide ${name} has no title`)
  return { name, title, summary: first.trimEnd().replaceAll('\n', ' '), source }
}

const link = /\[([^\]]+)\]\(([\w./-]+?\.md)(#[\w-]*)?\)/g

/**
 * The Markdown of a guide as a server gives it: its own address in every call, and links that lead on
 * from there. What is in the repository alone is named, not linked.
 */
export function servedMarkdown(source: string, publicUrl: string): string {
  return source
    .replaceAll('{base_url}', () => publicUrl)
    .replaceAll(link, (_, text: string, path: string, anchor = '') => {
      const name = path.replace(/\.md$/, '')
      // The index and what the reader is told of it are one.
      if (name === 'index') return `[${text}](${publicUrl}/guides.md)`
      if (path.includes('/')) return `\`${path.replace(/^(\.\.\/)+/, pathOf)}\``
      return `[${text}](${publicUrl}${addressOfGuide(name)}.md${String(anchor)})`
    })
}

/** A path from the folder of the guides, as it is from the root of the repository. */
function pathOf(climb: string): string {
  return climb.length === 3 ? 'docs/' : ''
}
