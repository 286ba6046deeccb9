import { agentOperations } from '#src/catalog/agent-pages.ts'
import { answered, type Terms } from '../ask.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { namesOf } from '../console/names.ts'
import { listView, shownOf, type TeamOf } from './list-views.ts'

const agentsAtOnce = 30
const teamsAtOnce = 12

/** The agents of the account, and the teams that they are in. */
export function agentsScreen(terms: Terms): ConsoleScreen {
  return {
    here: terms.paths.agents,
    async show(query, looking) {
      const { as } = looking
      const text = (query.get('q') ?? '').trim().slice(0, 200)
      const [cursor, teamCursor] = [query.get('cursor'), query.get('teams')]
      const page = {
        limit: agentsAtOnce,
        ...(cursor !== null && { cursor }),
        ...(text !== '' && { q: text }),
      }
      const teamPage = {
        limit: teamsAtOnce,
        ...(teamCursor !== null && { cursor: teamCursor }),
      }
      const isFirst = text === '' && cursor === null
      const [agents, teams] = await Promise.all([
        answered(terms, agentOperations.list, page, as),
        isFirst ? answered(terms, agentOperations.teams.list, teamPage, as) : undefined,
      ])
      const [teamOf, names] = await Promise.all([
        teamsOf(looking, agents.items),
        namesOf(
          looking,
          (teams?.items ?? []).flatMap((team) => shownOf(team).map(({ id }) => id)),
        ),
      ])
      return listView(looking, { text, agents, teams, teamOf, names })
    },
  }
}

/** The names of the teams that agents are in. */
async function teamsOf(
  { terms: { store }, account }: Looking,
  agents: readonly { app_id: string | null }[],
): Promise<TeamOf> {
  const ids = [...new Set(agents.flatMap(({ app_id }) => app_id ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await store.apps.pick(['id', 'name'], { id: { $in: ids }, owner_id: account.id })
  return new Map(rows.map(([id, called]) => [String(id), String(called)]))
}
