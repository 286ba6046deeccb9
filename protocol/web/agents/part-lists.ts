import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html } from '#src/core/html/html.ts'
import type { Character } from '#src/agents/character.ts'
import { answered, type Terms } from '../ask.ts'
import { namesOf } from '../console/names.ts'
import { lines, nextPage, part, type Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { agentOf, agentView, type AgentPart } from './frame.ts'
import { lineOfFriend, lineOfPost, lineOfTask } from './lines.ts'

/** One page of a list of what belongs to an agent. */
interface ListPage {
  items: readonly Line[]
  next: string | null
}

/** A list that has a page of its own. */
interface PartList {
  /** Among which part of the agent it is. */
  part: AgentPart
  title: string
  none: string
  read(
    looking: Looking,
    agent: Character,
    page: { limit: number; cursor?: string },
  ): Promise<ListPage>
}

const lists: Readonly<Record<string, PartList>> = {
  tasks: {
    part: 'tasks',
    title: 'Tasks',
    none: 'It has no tasks yet.',
    async read(looking, { id: char_id }, page) {
      const { terms, as } = looking
      const { list } = agentOperations.tasks
      const tasks = await answered(terms, list, { char_id, ...page }, as)
      const items = tasks.items.map((task) => lineOfTask(looking, task))
      return { items, next: tasks.next_cursor }
    },
  },
  posts: {
    part: '',
    title: 'What it says',
    none: 'It has not posted anything yet.',
    async read({ terms, as, at }, { id: char_id }, page) {
      const { list } = agentOperations.posts
      const posts = await answered(terms, list, { char_id, ...page }, as)
      return { items: posts.items.map((post) => lineOfPost(post, at)), next: posts.next_cursor }
    },
  },
  friends: {
    part: '',
    title: 'Friends',
    none: 'It has no friends.',
    async read(looking, { id: char_id }, page) {
      const { terms, as } = looking
      const { list } = agentOperations.friends
      const friends = await answered(terms, list, { char_id, ...page }, as)
      const ids = friends.items.map(({ friend_id }) => friend_id)
      const names = await namesOf(looking, ids)
      const items = friends.items.map((friend) => lineOfFriend(looking, friend, names))
      return { items, next: friends.next_cursor }
    },
  },
}

const atOnce = 30

/** The page of such a list; undefined if there is none of that name. */
export function partListScreen(terms: Terms, id: string, what: string): ConsoleScreen | undefined {
  const list = Object.hasOwn(lists, what) ? lists[what] : undefined
  if (!list) return undefined
  return {
    here: terms.paths.agent(id, [what]),
    async show(query, looking) {
      const agent = await agentOf(looking, id)
      const cursor = query.get('cursor')
      const asked = { limit: atOnce, ...(cursor !== null && { cursor }) }
      const { items, next } = await list.read(looking, agent, asked)
      const more = next === null ? undefined : terms.paths.agent(id, [what], { cursor: next })
      const { title } = list
      const main = part(title, what, html`${lines(items, list.none)} ${nextPage(more, 'More')}`)
      return agentView(looking, agent, { part: list.part, about: title, main })
    },
  }
}
