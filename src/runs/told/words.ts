import type { Settings } from '#src/core/settings.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { OutgoingMail } from '#src/ports/mail/mailer.ts'
import { kindNames, kinds } from './kinds.ts'
import type { NewsItem } from './news.ts'
import type { Telling } from './gather.ts'

/** What is told, and what its words need. */
interface Told {
  telling: Pick<Telling, 'counts' | 'items'>
  /** The names of agents, by their ids. */
  names: ReadonlyMap<string, string>
  settings: Pick<Settings, 'publicUrl'>
}

/** Longer names are cut. */
const nameAtMost = 60

/** A mail that counts what happened, and names and links the first of it. */
export function newsWords({
  telling,
  names,
  settings,
}: Told): Pick<OutgoingMail, 'subject' | 'text'> {
  const { publicUrl } = settings
  const happened = happenedIn(telling)
  const more = restOf(telling)
  const lines = telling.items.map(
    (item) =>
      `- ${kinds[item.kind].counted(1)}${whose(item, names)}:\n  ${addressOf(item, publicUrl)}`,
  )
  const rest = more > 0 ? [`and ${more} more: ${publicUrl}/needs-you`] : []
  const text = [
    `At ${new URL(publicUrl).host}:`,
    happened.map((one) => `${one}.`).join('\n'),
    [...lines, ...rest].join('\n'),
    `What you are told, and when, or that you are told nothing, is set here:\n${publicUrl}/settings/notifications`,
  ]
  return { subject: inOneLine(happened), text: `${text.join('\n\n')}\n` }
}

/** How often each kind happened, in words. */
function happenedIn({ counts }: Pick<Telling, 'counts'>): string[] {
  return kindNames.flatMap((kind) => {
    const many = counts[kind]
    return many === undefined ? [] : [kinds[kind].counted(many)]
  })
}

function inOneLine(happened: readonly string[]): string {
  return happened.map((one, nth) => (nth === 0 ? one : lowered(one))).join(', ')
}

/** What a browser shows: our own words, and where they lead. A single thing is opened itself. */
export function pushWords(
  telling: Told['telling'],
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): { title: string; text: string; url: string } {
  const [first, ...more] = telling.items
  const isOne = first !== undefined && more.length === 0 && restOf(telling) === 0
  return {
    title: inOneLine(happenedIn(telling)),
    text: `At ${new URL(publicUrl).host}`,
    url: isOne ? addressOf(first, publicUrl) : `${publicUrl}/needs-you`,
  }
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function whose({ char_id, task_id }: NewsItem, names: ReadonlyMap<string, string>): string {
  if (char_id === null) return ''
  const agent = inert(names.get(char_id) ?? char_id)
  return task_id === null ? `, of ${agent}` : `, of ${agent} (${inert(task_id)})`
}

/** How many things are not named. */
export function restOf({ counts, items }: Told['telling']): number {
  return Object.values(counts).reduce((sum, many) => sum + many, 0) - items.length
}

/** The address of the page that leads to a thing. */
export function addressOf(item: NewsItem, publicUrl: string): string {
  return publicUrl + pathOf(item)
}

function pathOf({ kind, approval_id, run_id }: NewsItem): string {
  if (approval_id !== null) return `/approvals/${approval_id}`
  if (run_id !== null) return `/runs/${run_id}`
  return kind === 'budget_reached' ? '/spend' : '/needs-you'
}

/** A name in one line, of which no program makes a link, and in which nothing is hidden. */
export function inert(name: string): string {
  const line = withHiddenShown(name.replaceAll(/\s+/g, ' ').trim())
  const plain = line.replaceAll(/[.:/@\\](?=\S)/g, ' ')
  return plain.length > nameAtMost ? `${plain.slice(0, nameAtMost).toWellFormed()}…` : plain
}
