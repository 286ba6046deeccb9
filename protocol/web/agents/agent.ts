import { agentOperations } from '#src/catalog/agent-pages.ts'
import { answered, type Terms } from '../ask.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { namesOf } from '../console/names.ts'
import { agentView as framed, agentOf } from './frame.ts'
import { overviewOf, type Overview } from './agent-views.ts'

/** Of which the newest are shown, and of each task the last that is among them. */
const runsRead = 12

/** An agent: who it is, what it does, and what it has. */
export function agentScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.agent(id)
  return {
    here,
    async show(query, looking) {
      const agent = await agentOf(looking, id)
      const whole = await wholeOf(looking, agent)
      const done = query.get('done') ?? undefined
      return framed(looking, agent, { part: '', main: overviewOf(looking, whole, done) })
    },
    async submit(form, looking) {
      const action = form.get('action')
      if (action !== 'pause' && action !== 'resume') return { goTo: here }
      const whole = { char_id: id }
      await (action === 'pause'
        ? answered(terms, agentOperations.pause, whole, looking.as)
        : answered(terms, agentOperations.resume, whole, looking.as))
      return { goTo: terms.paths.agent(id, [], { done: action }) }
    },
  }
}

async function wholeOf(looking: Looking, agent: Overview['agent']): Promise<Overview> {
  const { terms, as, at } = looking
  const char_id = agent.id
  const from = new Date(at.now).toISOString()
  const newest = { char_id, limit: runsRead }
  const [runs, next, posts, knowledge, secrets, friends, channels] = await Promise.all([
    answered(terms, agentOperations.runs.list, newest, as),
    answered(terms, agentOperations.calendar, { from, char_id, limit: 50 }, as),
    answered(terms, agentOperations.posts.list, { char_id, limit: 3 }, as),
    answered(terms, agentOperations.knowledge.list, { char_id, limit: 5 }, as),
    answered(terms, agentOperations.secrets.list, { char_id }, as),
    answered(terms, agentOperations.friends.list, { char_id, limit: 6 }, as),
    answered(terms, agentOperations.channels.list, { char_id }, as),
  ])
  const names = await namesOf(
    looking,
    friends.items.map(({ friend_id }) => friend_id),
  )
  return {
    agent,
    runs: runs.items,
    next: next.items.filter(({ status }) => status === 'coming'),
    posts: posts.items,
    knowledge: knowledge.items,
    secrets: secrets.items,
    friends: friends.items,
    channels: channels.items,
    names,
  }
}
