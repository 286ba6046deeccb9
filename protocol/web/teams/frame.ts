import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { name } from '#src/views/parts.ts'
import type { Team } from '#src/views/team.ts'
import { tabs } from '../console/parts.ts'
import { answered } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'

const parts = [
  ['', 'Overview'],
  ['plan', 'Plan a change'],
  ['revisions', 'Earlier versions'],
  ['deliveries', 'Deliveries'],
] as const
/** A part of a team that has a page of its own. */
type TeamPart = (typeof parts)[number][0]

/** The team with what was changed by hand since. @throws Refusal `app_not_found`, `forbidden`, … */
export function teamOf({ terms, as }: Looking, app_id: string): Promise<Team> {
  return answered(terms, agentOperations.teams.get, { app_id }, as)
}

/** What a page about a team shows. */
interface TeamPage {
  part: TeamPart
  main: Html
  status?: number
}

/** A page about a team, and the ways to its parts. */
export function teamPage({ terms: { paths } }: Looking, team: Team, page: TeamPage): ConsoleView {
  const { part, main, status = 200 } = page
  const called = withHiddenShown(team.name.slice(0, 80))
  const words = parts.find(([one]) => one === part)?.[1] ?? ''
  return {
    status,
    title: part === '' ? called : `${words}: ${called}`,
    heading: name(team.name),
    main: html`${tabs(
      parts.map(([one, label]) => ({
        href: paths.team(team.app_id, one === '' ? [] : [one]),
        label,
        isHere: one === part,
      })),
      'Parts of this team',
    )}
    ${main}`,
    place: 'agents',
  }
}
