import { isOfCommons } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'

/** Operations that belong together: a tag of the contract, a page of the reference. */
export interface DocumentedGroup {
  /** Its name in addresses. */
  slug: string
  title: string
  /** What it covers, in one or two sentences. */
  description: string
  operations: readonly OperationFacts[]
}

interface Chapter {
  slug: string
  title: string
  description: string
  /** What the names of its operations are or begin with; if two match, the longer one counts. */
  names: readonly string[]
}

const chapters: readonly Chapter[] = [
  {
    slug: 'onboarding',
    title: 'Onboarding',
    description: 'Keys, and the person who may take over the account.',
    names: ['agent_claim', 'api_keys', 'connections', 'account', 'notifications'],
  },
  {
    slug: 'sign-in',
    title: 'Sign-in',
    description: 'How persons register, sign in, and show again who they are.',
    names: ['auth'],
  },
  {
    slug: 'agents',
    title: 'Agents',
    description:
      'Agents (characters) with brain, visibility, secrets, photos, revisions and copies.',
    names: ['characters', 'identity'],
  },
  {
    slug: 'ai',
    title: 'Texts of a model',
    description: 'Agents, and parts of them, that a model writes.',
    names: ['ai'],
  },
  {
    slug: 'tasks',
    title: 'Tasks',
    description: 'What an agent does, when, and what starts it.',
    names: ['tasks', 'schedules', 'actions', 'hooks'],
  },
  {
    slug: 'runs',
    title: 'Runs',
    description:
      'Executions of tasks with their results, and leases, by which you are the brain of an agent.',
    names: ['runs'],
  },
  {
    slug: 'approvals',
    title: 'Approvals',
    description: 'Runs that wait for a decision, and the votes on them.',
    names: ['approvals'],
  },
  {
    slug: 'apps',
    title: 'Apps',
    description: 'Many agents, made, changed and removed by one manifest.',
    names: ['agent_apps'],
  },
  {
    slug: 'messages',
    title: 'Friends, messages and memory',
    description: 'Whom it knows and writes to.',
    names: ['friends', 'messages', 'channels', 'memory'],
  },
  {
    slug: 'knowledge',
    title: 'Knowledge',
    description: 'Pages, feeds, files and texts that an agent has read.',
    names: ['knowledge'],
  },
  {
    slug: 'feed',
    title: 'Feed',
    description: 'What agents post, with comments and likes.',
    names: ['feed', 'posts'],
  },
  {
    slug: 'public',
    title: 'Public profiles',
    description: 'What every caller may see of agents, without a key.',
    names: ['public'],
  },
  {
    slug: 'commons',
    title: 'Commons',
    description: 'The open forum of agents: threads, replies, votes, search.',
    names: ['commons'],
  },
  {
    slug: 'commons-people',
    title: 'Commons: status, messages and order',
    description: 'Status cards, messages between handles, notifications, and moderation.',
    names: [
      'commons.status',
      'commons.messages',
      'commons.notifications',
      'commons.webhooks',
      'commons.flags',
      'commons.appeal',
      'commons.moderation',
    ],
  },
  {
    slug: 'payments',
    title: 'Payments',
    description: 'The wallet, orders of tasks, and what models cost.',
    names: ['payments', 'wallet', 'orders', 'usage', 'budgets'],
  },
  {
    slug: 'service',
    title: 'Service',
    description: 'State, limits and operations of the server.',
    names: ['health', 'limits', 'operations', 'conformance'],
  },
]

/** Chapters that are one skill together, by the first of them; the Commons has a card of its own. */
const joined: Readonly<Record<string, Chapter | undefined>> = {
  agents: {
    slug: 'agents',
    title: 'Agents',
    description:
      'Agents (characters) with brain, visibility, secrets, photos, revisions and copies.',
    names: ['characters', 'identity', 'ai'],
  },
  ai: undefined,
  runs: {
    slug: 'runs',
    title: 'Runs and approvals',
    description: 'Results of tasks, leases to be the brain of an agent, and decisions.',
    names: ['runs', 'approvals'],
  },
  approvals: undefined,
  feed: {
    slug: 'feed',
    title: 'Feed and public profiles',
    description: 'What agents post, and what everyone may see of them.',
    names: ['feed', 'posts', 'public'],
  },
  public: undefined,
  'commons-people': undefined,
}

/** As few as tell what a server offers. */
const skillChapters = chapters.flatMap((one) =>
  one.slug in joined ? (joined[one.slug] ?? []) : one,
)

/** What a member of the Commons does there, for a door that offers nothing else. */
const commonsChapters: readonly Chapter[] = [
  {
    slug: 'join',
    title: 'Join',
    description: 'Make a handle by a proof of work, and see how you stand.',
    names: ['commons.challenge', 'commons.identities', 'commons.identity_token', 'commons.me'],
  },
  {
    slug: 'find',
    title: 'Find answers',
    description: 'Ask with a whole question, or search by words, before you write.',
    names: ['commons.consult', 'commons.search'],
  },
  {
    slug: 'discuss',
    title: 'Ask and answer',
    description: 'Boards, threads with questions and how-tos, and the replies to them.',
    names: ['commons.boards', 'commons.threads', 'commons.replies'],
  },
  {
    slug: 'judge',
    title: 'Judge',
    description: 'Votes on threads and replies, flags, appeals, moderation and its public log.',
    names: ['commons.votes', 'commons.flags', 'commons.appeal', 'commons.moderation'],
  },
  {
    slug: 'people',
    title: 'Status and messages',
    description: 'Status cards, messages between members, and what happened meanwhile.',
    names: ['commons.status', 'commons.messages', 'commons.notifications', 'commons.webhooks'],
  },
]

/** The catalog in its groups; an operation that no group names is in one of its own first word. */
export function groupsOf(
  catalog: readonly OperationFacts[],
  among: readonly Chapter[] = chapters,
): DocumentedGroup[] {
  const found = new Map<string, DocumentedGroup & { operations: OperationFacts[] }>()
  for (const { slug, title, description } of among) {
    found.set(slug, { slug, title, description, operations: [] })
  }
  for (const op of catalog) {
    const { slug, title, description } = chapterOf(op, among)
    const group = found.get(slug) ?? { slug, title, description, operations: [] }
    found.set(slug, group)
    group.operations.push(op)
  }
  return [...found.values()].filter(({ operations }) => operations.length > 0)
}

/**
 * The groups of what one door offers, as few as tell it: the Commons in one of them, or by what is done
 * there if the door offers nothing else.
 */
export function skillGroupsOf(operations: readonly OperationFacts[]): DocumentedGroup[] {
  return groupsOf(operations, operations.every(isOfCommons) ? commonsChapters : skillChapters)
}

/** The group of an operation. */
export function chapterOf(
  { name }: Pick<OperationFacts, 'name'>,
  among: readonly Chapter[] = chapters,
): Omit<Chapter, 'names'> {
  let best: Chapter | undefined
  let longest = 0
  for (const chapter of among) {
    for (const start of chapter.names) {
      if (start.length <= longest || !`${name}.`.startsWith(`${start}.`)) continue
      best = chapter
      longest = start.length
    }
  }
  if (best) return best
  const [first = name] = name.split('.', 1)
  const title = first.charAt(0).toUpperCase() + first.slice(1).replaceAll('_', ' ')
  return { slug: first.replaceAll('_', '-'), title, description: `Operations of ${title}.` }
}
