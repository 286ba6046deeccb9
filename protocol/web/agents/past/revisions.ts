import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html } from '#src/core/html/html.ts'
import { timeOf } from '#src/views/moments.ts'
import { answered, type Terms } from '#protocol/web/ask.ts'
import { lines, nextPage, part } from '#protocol/web/console/parts.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { authorsOf } from './authors.ts'
import { membersIn } from './words.ts'

const atOnce = 20

/** What an agent was before each change that is kept, the newest first. */
export function revisionsScreen(terms: Terms, id: string): ConsoleScreen {
  const place = ['revisions']
  return {
    here: terms.paths.agent(id, place),
    async show(query, looking) {
      const { as, at } = looking
      const cursor = query.get('cursor')
      const asked = { char_id: id, limit: atOnce, ...(cursor !== null && { cursor }) }
      const [agent, { items, next_cursor: next }] = await Promise.all([
        agentOf(looking, id),
        answered(terms, agentOperations.revisions.list, asked, as),
      ])
      const who = await authorsOf(
        looking,
        items.map(({ actor }) => actor),
      )
      const shown = items.map(({ revision, actor, created_at, changed }) => ({
        href: terms.paths.agent(id, [...place, String(revision)]),
        name: html`As it was until ${timeOf(created_at, at)}`,
        about: html`Then ${who(actor)} changed ${membersIn(changed)}.`,
        end: `version ${revision}`,
      }))
      const more = next === null ? undefined : terms.paths.agent(id, place, { cursor: next })
      const main = part(
        'Earlier versions',
        'versions',
        html`<p class="soft">
            Each change of its profile keeps it as it was before, with its tasks. A change of a
            single task keeps none.
          </p>
          ${lines(shown, 'It was not changed yet.')} ${nextPage(more)}`,
      )
      return agentView(looking, agent, { part: '', about: 'Earlier versions', main })
    },
  }
}
