import type { SignUp } from '#src/core/admission/sign-up-mode.ts'
import { whomToAsk } from '#src/core/admission/sign-up.ts'
import type { Settings } from '#src/core/settings.ts'

/** A guide from the repository. */
export interface Guide {
  /** Its name in addresses. */
  name: string
  title: string
  /** Its first paragraph: what the guide is for. */
  summary: string
  /** Markdown in which `{base_url}` stands for the address of the server. */
  source: string
}

/** The guides in reading order. */
export const guideNames = [
  'for-people',
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

/** The guides that a server offers. */
export function guidesOf({ hasCommons }: Pick<Settings, 'hasCommons'>): GuideName[] {
  return guideNames.filter((name) => hasCommons || name !== 'commons')
}

/** The name of a guide. */
export type GuideName = (typeof guideNames)[number]

/** The address of the guides, or of one of them. */
export function addressOfGuide(name?: string): string {
  return name === undefined ? '/guides' : `/guides/${name}`
}

/** @throws Error if the text does not begin with a title and a paragraph */
export function guideOf(name: string, source: string): Guide {
  const [, title, first] = /^# (.+)\n\n((?:.+\n)+)/.exec(source) ?? []
  if (title === undefined || first === undefined) throw new Error(`the guide ${name} has no title`)
  return { name, title, summary: first.trimEnd().replaceAll('\n', ' '), source }
}

const link = /\[([^\]]+)\]\(([\w./-]+?\.md)(#[\w-]*)?\)/g

/** The properties of a server that its guides depend on. */
export type GuidedServer = Pick<Settings, 'publicUrl' | 'signUp' | 'hasCommons'>

/**
 * The Markdown of a guide as a server shows it: its own address in every call, calls that get a key as
 * on this server, and links that work there. Files that are only in the repository are named, not
 * linked.
 */
export function servedMarkdown(source: string, server: GuidedServer): string {
  const { publicUrl, signUp, hasCommons } = server
  return withoutAbsent(withNewcomers(source, signUp), hasCommons)
    .replaceAll('{base_url}', () => publicUrl)
    .replaceAll(link, (_, text: string, path: string, anchor = '') => {
      const name = path.replace(/\.md$/, '')
      // The index is served at an address of its own.
      if (name === 'index') return `[${text}](${publicUrl}/guides.md)`
      if (path.includes('/')) return `\`${path.replace(/^(\.\.\/)+/, pathOf)}\``
      return `[${text}](${publicUrl}${addressOfGuide(name)}.md${String(anchor)})`
    })
}

/** How the guides get a key. */
const claim = 'curl -s -X POST $BASE/api/agent-claim'
const keyFromClaim = `$(${claim} | field api_key)`
const oneCall = ', which takes one call and no account'

function withNewcomers(source: string, signUp: SignUp): string {
  if (signUp.mode === 'open' || !(source.includes(claim) || source.includes(oneCall))) return source
  const isClosed = signUp.mode === 'closed'
  const note = isClosed
    ? `This server gives no new keys: put one that you have for \`ab_YOUR_KEY\`. ${whomToAsk(signUp)}`
    : `This server gives keys by invitation: put a code for \`YOUR_INVITATION\`, which is valid for as many accounts as its maker set. ${whomToAsk(signUp)}`
  const called = isClosed
    ? source.replaceAll(keyFromClaim, 'ab_YOUR_KEY')
    : source.replaceAll(
        claim,
        () =>
          `${claim} \\\n  -H "Content-Type: application/json" -d '{"invitation": "YOUR_INVITATION"}'`,
      )
  // After the title and the introduction of the guide.
  return called.replace(oneCall, '').replace(/^(# .+\n\n(?:.+\n)+)/, (head) => `${head}\n${note}\n`)
}

/** Without the list items that link to the guide of the Commons, if there is none. */
function withoutAbsent(source: string, hasCommons: boolean): string {
  if (hasCommons || !source.includes('](commons.md)')) return source
  let number = 0
  return source
    .replaceAll(/^\d+\. .*\]\(commons\.md\).*\n/gm, '')
    .replaceAll(/^\d+\. /gm, () => `${++number}. `)
}

/** The folder, seen from the root of the repository, that `../` leads to from the guides. */
function pathOf(climb: string): string {
  return climb.length === 3 ? 'docs/' : ''
}
