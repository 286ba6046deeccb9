import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { timeOf } from '#src/views/moments.ts'
import { name } from '#src/views/parts.ts'
import { answered, type Terms } from '#protocol/web/ask.ts'
import { countOf, lines, nextPage, part, searchForm } from '#protocol/web/console/parts.ts'
import type { Looking } from '#protocol/web/console/reader.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { lineOfEntry } from './lines.ts'

const [namespacesShown, foundAtMost, textAtMost] = [20, 30, 200]

/** What an agent remembers: its namespaces, or what is found in all of them. */
export function memoryScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.agent(id, ['memory'])
  return {
    here,
    async show(query, looking) {
      const text = (query.get('q') ?? '').trim().slice(0, textAtMost)
      const [agent, list] = await Promise.all([
        agentOf(looking, id),
        text === '' ? namespacesOf(looking, id, query.get('cursor')) : foundOf(looking, id, text),
      ])
      const main = html`${searchForm(here, 'Find in its memory', text)} ${list}`
      return agentView(looking, agent, { part: 'memory', main })
    },
  }
}

async function namespacesOf(looking: Looking, id: string, cursor: string | null): Promise<Html> {
  const { terms, as, at } = looking
  const asked = { char_id: id, limit: namespacesShown, ...(cursor !== null && { cursor }) }
  const { items, next_cursor: next } = await answered(
    terms,
    agentOperations.memory.namespaces,
    asked,
    as,
  )
  const shown = items.map(({ namespace, entries, updated_at }) => ({
    href: terms.paths.agent(id, ['memory', namespace]),
    name: html`<code>${name(namespace, 128)}</code>`,
    about: html`last changed ${timeOf(updated_at, at)}`,
    end: countOf(entries, 'thing'),
  }))
  const more = next === null ? undefined : terms.paths.agent(id, ['memory'], { cursor: next })
  const none = 'It remembers nothing yet. Tasks with a namespace keep what they bring here.'
  return part(
    'What it remembers',
    'namespaces',
    html`${lines(shown, none)} ${nextPage(more, 'More')}`,
  )
}

async function foundOf(looking: Looking, id: string, q: string): Promise<Html> {
  const { terms, as } = looking
  const asked = { char_id: id, q, limit: foundAtMost }
  const { items } = await answered(terms, agentOperations.memory.search, asked, as)
  return part(
    html`Found by “${name(q)}”`,
    'found',
    lines(
      items.map((entry) => lineOfEntry(looking, id, entry, false)),
      'It remembers nothing with these words.',
    ),
  )
}
