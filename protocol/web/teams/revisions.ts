import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Leave } from '#src/core/html/view.ts'
import { timeOf } from '#src/views/moments.ts'
import type { Team } from '#src/views/team.ts'
import { answered, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { lines, nextPage, part, type Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { numberIn, tick } from '../fields.ts'
import { teamOf, teamPage } from './frame.ts'
import { lateOf, planOf } from './plan-views.ts'
import { manifestText } from './plan.ts'

const atOnce = 20

/** The versions of a team, each with what going back to it would do. */
export function revisionsScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.team(id, ['revisions'])
  return {
    here,
    async show(query, looking) {
      const look = numberIn(query.get('look'))
      if (look !== undefined) return lookAt(looking, id, look)
      const team = await teamOf(looking, id)
      const main = await listOf(looking, team, numberIn(query.get('below')))
      return teamPage(looking, team, { part: 'revisions', main })
    },
    async submit(form, looking) {
      const revision = numberIn(form.get('to'))
      if (form.get('action') !== 'back' || revision === undefined) return { goTo: here }
      return goBack(looking, id, revision, form)
    },
  }
}

async function listOf(
  { terms: { store, paths }, at }: Looking,
  { app_id, owner_id, revision: newest }: Team,
  below: number = newest + 1,
): Promise<Html> {
  const among = { app_id, owner_id, revision: { $lt: below } }
  const rows = await store.app_revisions.pick(['revision', 'created_at'], among, {
    sort: { revision: -1 },
    limit: atOnce + 1,
  })
  const shown = rows.slice(0, atOnce).map(([revision, when]): Line => ({
    href: paths.team(app_id, ['revisions'], { look: String(revision) }),
    name: `Version ${String(revision)}`,
    about: timeOf(String(when), at),
    end: revision === newest ? 'now' : undefined,
  }))
  const last = rows[atOnce - 1]?.[0]
  const more =
    rows.length > atOnce ? paths.team(app_id, ['revisions'], { below: String(last) }) : undefined
  return part('Versions', 'versions', html`${lines(shown, 'None is kept.')} ${nextPage(more)}`)
}

/** What going back to a version would do. */
async function lookAt(
  looking: Looking,
  id: string,
  revision: number,
  isLate = false,
): Promise<ConsoleView> {
  const { terms, as } = looking
  const { teams } = agentOperations
  const [team, before, after, manifest] = await Promise.all([
    teamOf(looking, id),
    manifestText(looking, id),
    manifestText(looking, id, revision),
    answered(terms, teams.manifest, { app_id: id, revision }, as),
  ])
  const plan = await answered(terms, teams.plan, { app_id: id, manifest, prune: true }, as)
  const shown = { plan, before, after, revision: team.revision }
  const isNow = revision === team.revision
  const main = html`${isLate && lateOf()}
    <p class="lead">
      ${isNow ? 'This is the version of now: applying it again undoes what was changed by hand.' : `Going back to version ${revision}, and removing what it does not name:`}
    </p>
    ${planOf(shown)}
    <form method="post" class="card" action="${terms.paths.team(id, ['revisions'])}">
      <input type="hidden" name="to" value="${revision}" />
      <input type="hidden" name="revision" value="${team.revision}" />
      ${tick({ name: 'prune', label: 'Remove what it does not name', isTicked: true, problems: {} })}
      <button class="main" name="action" value="back">
        ${isNow ? 'Apply it again' : `Go back to version ${revision}`}
      </button>
    </form>`
  return teamPage(looking, team, { part: 'revisions', main, status: isLate ? 409 : 200 })
}

async function goBack(
  looking: Looking,
  app_id: string,
  revision: number,
  form: URLSearchParams,
): Promise<ConsoleView | Leave> {
  const { terms, as } = looking
  const input = { app_id, revision, prune: form.get('prune') === 'true' }
  const asked = { ...as, expected: numberIn(form.get('revision')) }
  const { refusal } = await told(terms, agentOperations.teams.rollback, input, asked)
  if (!refusal) return { goTo: terms.paths.team(app_id, [], { done: 'saved' }) }
  if (refusal.code === 'revision_mismatch') return lookAt(looking, app_id, revision, true)
  throw refusal
}
