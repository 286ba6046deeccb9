import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { App } from '#src/agents/app/app.ts'
import type { Character } from '#src/agents/character.ts'
import { badge, leftOut, name } from '#src/views/parts.ts'
import type { AnswerOf } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { lines, nextPage, part, searchForm, type Line } from '../console/parts.ts'
import type { Names } from '../console/names.ts'
import type { Paths } from '../paths.ts'
import type { Looking } from '../console/reader.ts'
import { faceOf } from './face.ts'
import { lookOfTasks } from './task-state.ts'

/** The names of teams by the ids of their apps. */
export type TeamOf = ReadonlyMap<string, string>

/** What the page of all agents shows. */
interface Agents {
  /** What is searched for; empty for nothing. */
  text: string
  agents: AnswerOf<typeof agentOperations.list>
  teams: AnswerOf<typeof agentOperations.teams.list> | undefined
  teamOf: TeamOf
  /** Of the agents that are named with their teams. */
  names: Names
}

/** The page of all agents. */
export function listView(looking: Looking, all: Agents): ConsoleView {
  const { paths } = looking.terms
  const { text, agents, teams } = all
  const next = agents.next_cursor
  const more =
    next === null ? undefined : paths.agentList({ ...(text !== '' && { q: text }), cursor: next })
  const title = text === '' ? 'All agents, newest first' : html`Found by “${name(text)}”`
  const main = html`${searchForm(paths.agents, 'Find agents', text)}
  ${teams && teamsOf(looking, teams, all.names)}
  ${part(
    title,
    'all-agents',
    html`${lines(
      agents.items.map((agent) => lineOfAgent(looking, agent, all.teamOf)),
      noneOf(looking, text),
    )}
    ${nextPage(more)}`,
  )}`
  return { title: 'Agents', main, place: 'agents' }
}

function noneOf({ terms: { paths } }: Looking, text: string): Part {
  if (text !== '') return 'No agent has all of these words in its name, role, tagline or skills.'
  return html`<p>There are no agents in this account yet.</p>
    <p><a href="${paths.home}">How to begin</a></p>`
}

/** An agent as a line. @param teamOf left out where all are of one team */
export function lineOfAgent({ terms }: Looking, agent: Character, teamOf?: TeamOf): Line {
  const { id, app_id, role, tagline, heart } = agent
  const team = teamOf && app_id !== null && name(teamOf.get(app_id) ?? app_id)
  const what = role ?? tagline
  return {
    href: terms.paths.agent(id),
    before: faceOf(terms, agent),
    name: name(agent.name),
    about: html`${what !== null && what !== '' && name(what, 120)}${what && team && ' · '}${team}`,
    end: badge(lookOfTasks(heart?.tasks ?? [])),
  }
}

const namedInTeam = 6

/** The agents that are named with a team. */
export function shownOf({ agents }: Pick<App, 'agents'>): App['agents'] {
  return agents.slice(0, namedInTeam)
}

function teamsOf(
  { terms: { paths } }: Looking,
  { items, next_cursor }: NonNullable<Agents['teams']>,
  names: Names,
): Html | undefined {
  if (items.length === 0) return undefined
  const more = next_cursor === null ? undefined : paths.agentList({ teams: next_cursor })
  return part(
    'Teams',
    'teams',
    html`<ul class="columns">
        ${items.map((app) => teamOf(paths, app, names))}
      </ul>
      ${nextPage(more, 'Older teams')}`,
  )
}

function teamOf(paths: Paths, app: App, names: Names): Html {
  const { app_id, status, agents, description } = app
  const shown = shownOf(app)
  return html`<li class="card">
    <header class="head">
      <h3><a href="${paths.team(app_id)}">${name(app.name)}</a></h3>
      ${status === 'paused' && badge({ word: 'Paused', tone: 'wait', icon: 'hand' })}
    </header>
    <p class="soft" dir="auto">
      ${description === null ? count(agents.length, 'agent') : withHiddenShown(description.slice(0, 160))}
    </p>
    <ul class="plain">
      ${shown.map(({ id }) => html`<li><a href="${paths.agent(id)}">${names.of(id)}</a></li>`)}
    </ul>
    ${leftOut(agents.length - shown.length, 'agent')}
  </li>`
}
