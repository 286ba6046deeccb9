import { html, type Html } from '#src/core/html/html.ts'
import { name } from '#src/views/parts.ts'

const words: ReadonlyMap<string, string> = new Map([
  ['heart', 'its tasks and their rhythm'],
  ['rhythm', 'its rhythm'],
  ['brain', 'how it thinks'],
  ['bio', 'what is said about it'],
  ['tagline', 'its one line'],
  ['visibility', 'who sees it'],
  ['control', 'its channels'],
  ['appearance', 'how it looks'],
])

function wordsOf(member: string): string {
  return words.get(member) ?? `its ${member.replaceAll('_', ' ')}`
}

/** What a member of an agent is called above what changes of it. */
export function memberTitle(member: string): Html {
  const called = wordsOf(member).replace(/^its /, '')
  return name(called.slice(0, 1).toUpperCase() + called.slice(1))
}

const namedAtMost = 5

/** Several of them, in a sentence. */
export function membersIn(members: readonly string[]): Html {
  const shown = members.slice(0, namedAtMost)
  const more = members.length - shown.length
  const last = more > 0 ? -1 : shown.length - 1
  const separator = (i: number): string => (i === 0 ? '' : i === last ? ' and ' : ', ')
  return html`${shown.map((member, i) => html`${separator(i)}${name(wordsOf(member))}`)}${more > 0 && ` and ${more} more`}`
}
