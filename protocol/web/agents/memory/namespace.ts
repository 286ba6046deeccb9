import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html } from '#src/core/html/html.ts'
import { name } from '#src/views/parts.ts'
import { answered, type Terms } from '#protocol/web/ask.ts'
import { lines, nextPage, part } from '#protocol/web/console/parts.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { lineOfEntry } from './lines.ts'

const entriesShown = 30

/** What an agent remembers in a namespace, by key. */
export function namespaceScreen(terms: Terms, id: string, namespace: string): ConsoleScreen {
  const place = ['memory', namespace]
  return {
    here: terms.paths.agent(id, place),
    async show(query, looking) {
      const cursor = query.get('cursor')
      const asked = {
        char_id: id,
        namespace,
        limit: entriesShown,
        ...(cursor !== null && { cursor }),
      }
      const [agent, { items, next_cursor: next }] = await Promise.all([
        agentOf(looking, id),
        answered(terms, agentOperations.memory.list, asked, looking.as),
      ])
      const more = next === null ? undefined : terms.paths.agent(id, place, { cursor: next })
      const all = html`<a href="${terms.paths.agent(id, ['memory'])}">All it remembers</a>`
      const main = html`${query.has('done') && html`<p class="done" role="status">It has forgotten that.</p>`}
      ${part(
        html`Memory: <code>${name(namespace, 128)}</code>`,
        'entries',
        html`${lines(
          items.map((entry) => lineOfEntry(looking, id, entry)),
          'It remembers nothing here.',
        )}
        ${nextPage(more, 'More')}`,
        all,
      )}`
      return agentView(looking, agent, { part: 'memory', main })
    },
  }
}
