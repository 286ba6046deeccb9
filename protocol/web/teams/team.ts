import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Leave } from '#src/core/html/view.ts'
import { answered, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import type { Looking } from '../console/reader.ts'
import { teamOf, teamPage } from './frame.ts'
import { overviewOf } from './team-views.ts'

const agentsShown = 50
const failedShown = 5

/** A team: who hands work to whom, what was changed by hand, and one button for all of it. */
export function teamScreen(terms: Terms, id: string): ConsoleScreen {
  return {
    here: terms.paths.team(id),
    async show(query, looking, typed) {
      const { as } = looking
      const { list, teams } = agentOperations
      const cursor = query.get('cursor')
      const page = { app_id: id, limit: agentsShown, ...(cursor !== null && { cursor }) }
      const failed = { app_id: id, status: 'failed', limit: failedShown } as const
      const [team, agents, deliveries] = await Promise.all([
        teamOf(looking, id),
        answered(terms, list, page, as),
        answered(terms, teams.deliveries.list, failed, as),
      ])
      const done = query.get('done') ?? undefined
      const main = overviewOf(looking, { team, agents, failed: deliveries.items, done, typed })
      return teamPage(looking, team, { part: '', main })
    },
    submit: (form, looking) => changed(looking, id, form),
  }
}

async function changed(
  { terms, as }: Looking,
  app_id: string,
  form: URLSearchParams,
): Promise<ConsoleView | Leave> {
  const { pause, resume } = agentOperations.teams
  const action = form.get('action')
  if (action === 'pause') {
    const reason = (form.get('reason') ?? '').trim().slice(0, 500)
    await answered(terms, pause, { app_id, ...(reason !== '' && { reason }) }, as)
  } else if (action === 'resume') {
    const held = form.get('held') === 'drop' ? 'drop' : 'run'
    await answered(terms, resume, { app_id, held }, as)
  } else return { goTo: terms.paths.team(app_id) }
  return { goTo: terms.paths.team(app_id, [], { done: action }) }
}
