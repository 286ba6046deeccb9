import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Delivery } from '#src/events/outbox/delivery.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, facts, name } from '#src/views/parts.ts'
import { driftOf, listOf, missingOf, pictureOf, standOf, type Team } from '#src/views/team.ts'
import { lineOfAgent } from '../agents/list-views.ts'
import type { AnswerOf } from '../ask.ts'
import { showingOf } from '../console/view-frame.ts'
import { lines, live, livePart, nextPage, part } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { field } from '../fields.ts'
import { lineOfDelivery } from './delivery-line.ts'

/** What the page of a team shows. */
interface Overview {
  team: Team
  agents: AnswerOf<typeof agentOperations.list>
  failed: readonly Delivery[]
  done: string | undefined
  /** What was typed before the session ended. */
  typed?: URLSearchParams | undefined
}

/** A team as a picture, with its agents and what needs to be looked at. */
export function overviewOf(looking: Looking, whole: Overview): Html {
  const { paths } = looking.terms
  const { team, failed, done } = whole
  const here = paths.team(team.app_id)
  return live(
    paths.events,
    here,
    html`${doneOf(done)} ${livePart('stands', headOf(looking, team))}
      ${part('Who hands work to whom', 'picture', pictureIn(team, looking))}
      <div class="panes">
        <div>${livePart('members', membersOf(looking, whole))}</div>
        <div>
          ${missingOf(team.secrets_needed ?? [])} ${driftOf(team.drift ?? [])}
          ${backOf(looking, team)} ${failedOf(looking, team, failed)} ${switchOf(team, whole.typed)}
        </div>
      </div>`,
  )
}

/** A picture of many is seen through a window. */
const wholeAtMost = 12

function pictureIn(team: Team, looking: Looking): Html {
  const picture = pictureOf(team)
  const words = listOf(team, showingOf(looking))
  if (team.agents.length <= wholeAtMost) return html`${picture} ${words}`
  return html`<div class="window" tabindex="0" role="region" aria-label="The picture">
      ${picture}
    </div>
    ${words}`
}

function headOf({ at }: Looking, team: Team): Html {
  const { description, status, pause } = team
  const isPaused = status === 'paused'
  return html`<header class="head">
      <p class="lead" dir="auto">${withHiddenShown((description ?? '').slice(0, 600))}</p>
      ${badge(isPaused ? { word: 'Paused', tone: 'wait', icon: 'hand' } : standOf(team))}
    </header>
    ${
      pause &&
      html`<p class="outside" dir="auto">
        <span>${withHiddenShown(pause.reason.slice(0, 500))} Since ${timeOf(pause.at, at)}.</span>
      </p>`
    }
    ${facts([
      ['Agents', team.agents.length],
      ['Connections', team.connections.length],
      ['Version', team.revision],
      ['Changed', timeOf(team.updated_at, at)],
      ['Webhook', team.webhook ? name(team.webhook.url, 120) : undefined],
      ['Id', html`<code>${name(team.app_id, 128)}</code>`],
    ])}`
}

function membersOf(looking: Looking, { team, agents: { items, next_cursor } }: Overview): Html {
  const { paths } = looking.terms
  const more =
    next_cursor === null ? undefined : paths.team(team.app_id, [], { cursor: next_cursor })
  const all = items.map((agent) => lineOfAgent(looking, agent))
  return part(
    'Its agents',
    'agents',
    html`${lines(all, 'It has no agents.')} ${nextPage(more, 'More')}`,
  )
}

/** What leads back to the manifest. */
function backOf({ terms: { paths } }: Looking, { app_id, drift, revision }: Team) {
  if ((drift ?? []).length === 0) return undefined
  const look = paths.team(app_id, ['revisions'], { look: String(revision) })
  return html`<p><a href="${look}">Undo what was changed by hand…</a></p>`
}

function failedOf(looking: Looking, { app_id }: Team, failed: readonly Delivery[]) {
  if (failed.length === 0) return undefined
  const all = looking.terms.paths.team(app_id, ['deliveries'], { status: 'failed' })
  return part(
    'Not delivered',
    'failed',
    lines(
      failed.map((one) => lineOfDelivery(looking, app_id, one)),
      '',
    ),
    html`<a href="${all}">All failed ones</a>`,
  )
}

function switchOf({ status }: Team, typed: URLSearchParams | undefined): Html {
  const isPaused = status === 'paused'
  const reason = field({
    name: 'reason',
    label: 'Why (may be left empty)',
    attributes: html`maxlength="500" dir="auto" autocomplete="off"`,
    value: typed?.get('reason') ?? '',
    problems: {},
  })
  const drop = html`<label class="check"
    ><input type="checkbox" name="held" value="drop" /> Drop what waited for it</label
  >`
  return part(
    isPaused ? 'Let the team go on' : 'Stop the whole team',
    'switch',
    html`<form method="post" class="card">
      ${
        isPaused
          ? html`${drop}<button class="main" name="action" value="resume">Resume all of it</button>`
          : html`${reason}<button name="action" value="pause">Pause all of it</button>`
      }
    </form>`,
  )
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['pause', 'The team is paused: none of its tasks is started. Runs under way go on.'],
  ['resume', 'The team goes on.'],
  ['saved', 'The change is applied.'],
])

function doneOf(done: string | undefined): Html | undefined {
  const words = done === undefined ? undefined : doneWords.get(done)
  return words === undefined ? undefined : html`<p class="done" role="status">${words}</p>`
}
