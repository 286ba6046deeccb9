import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { App, AppAgent } from '#src/agents/app/app.ts'
import type { Drift } from '#src/apps/drift.ts'
import type { NeededSecret } from '#src/apps/revisions/needed-secrets.ts'
import { badge, facts, icon, leftOut, name, type Look } from './parts.ts'
import { layoutOf, type Edge, type Layout } from './team-layout.ts'
import { timeOf } from './moments.ts'
import type { Showing, View } from './view.ts'

/** An app as it is read. */
export type Team = App & { drift?: readonly Drift[]; secrets_needed?: readonly NeededSecret[] }

/** In more than that no one sees who hands to whom. */
const drawnAtMost = 50
const edgesAtMost = 400
const listedAtMost = 100

/** The agents of a team, and who may hand work to whom. */
export const teamView: View<Team> = {
  name: 'team',
  title: 'A team',
  description:
    'The agents of an app as a picture of who works with whom, and what was changed since.',
  show(team, at) {
    const { agents, connections } = team
    return html`<header class="head">
        <div>
          <p class="over">Team</p>
          <h1>${name(team.name)}</h1>
        </div>
        ${badge(standOf(team))}
      </header>
      ${team.description !== null && html`<p class="lead" dir="auto">${withHiddenShown(team.description.slice(0, 600))}</p>`}
      ${facts([
        ['Agents', agents.length],
        ['Connections', connections.length],
        ['Revision', team.revision],
        ['Changed', timeOf(team.updated_at, at)],
      ])}
      ${pictureOf(team)} ${missingOf(team.secrets_needed ?? [])} ${driftOf(team.drift ?? [])}
      ${listOf(team, at)}`
  },
  again: ({ app_id }) => ({ operation: 'agent_apps.get', input: { app_id } }),
  rereading: () => 'on_request',
}

/** How a team stands. */
export function standOf({ drift = [], secrets_needed = [] }: Team): Look {
  if (secrets_needed.some(({ required, set }) => required && !set)) {
    return { word: 'Secrets missing', tone: 'bad', icon: 'cross' }
  }
  return drift.length > 0
    ? { word: 'Changed by hand', tone: 'wait', icon: 'hand' }
    : { word: 'As its manifest says', tone: 'good', icon: 'check' }
}

/** Who hands work to whom. */
export function pictureOf(team: Team): Html {
  const { agents, connections } = team
  if (agents.length === 0) return html`<p class="state">It has no agents.</p>`
  const drawn = agents.slice(0, drawnAtMost)
  const all = edgesOf(drawn, connections)
  const edges = all.slice(0, edgesAtMost)
  return html`${pictures(team, drawn, edges)} ${leftOut(agents.length - drawn.length, 'agent')}
  ${leftOut(all.length - edges.length, 'connection')}`
}

/** Each pair once, from and to those that are drawn. */
function edgesOf(agents: readonly AppAgent[], connections: App['connections']): Edge[] {
  const at = new Map(
    agents.flatMap(({ local_id, id }, i) => [[id, i] as const, [local_id, i] as const]),
  )
  const found = new Map<string, Edge>()
  for (const connection of connections) {
    const [from, to] = [at.get(connection.from), at.get(connection.to)]
    if (from === undefined || to === undefined || from === to) continue
    found.set(`${from} ${to}`, { from, to })
  }
  return [...found.values()]
}

/** Once for wide screens and once for narrow ones, of which the style shows one. */
function pictures(team: Team, agents: readonly AppAgent[], edges: readonly Edge[]): Html {
  const [wide, narrow] = [4, 2].map((columns) => layoutOf(agents.length, edges, columns))
  if (!wide || !narrow) throw new TypeError('nothing was laid out')
  const changed = new Set((team.drift ?? []).map(({ local_id }) => local_id))
  return html`<figure class="picture" aria-hidden="true">
    ${draw('wide', agents, edges, wide, changed)} ${draw('narrow', agents, edges, narrow, changed)}
  </figure>`
}

const box = { width: 150, height: 46, right: 28, down: 54 }
/** Next to the agents, for the lines that lead around them. */
const margin = 44

function draw(
  kind: 'wide' | 'narrow',
  agents: readonly AppAgent[],
  edges: readonly Edge[],
  layout: Layout,
  changed: ReadonlySet<string>,
): Html {
  const { places, rows } = layout
  const columns = Math.max(...rows)
  const width = columns * box.width + (columns - 1) * box.right
  const height = rows.length * box.height + (rows.length - 1) * box.down
  const corner = (agent: number) => {
    const { row, column } = places[agent] ?? { row: 0, column: 0 }
    const taken = rows[row] ?? 1
    const left = (width - (taken * box.width + (taken - 1) * box.right)) / 2
    return { x: left + column * (box.width + box.right), y: row * (box.height + box.down) }
  }
  return html`<svg
    class="${kind}"
    viewBox="${-margin} -4 ${width + 2 * margin} ${height + 8}"
    width="${width + 2 * margin}"
    height="${height + 8}"
  >
    <defs>
      <marker
        id="tip-${kind}"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto-start-reverse"
      >
        <path class="tip" d="M0 .5L7.5 4 0 7.5z" />
      </marker>
    </defs>
    ${edges.map(({ from, to }) => lineOf(corner(from), corner(to), kind))}
    ${agents.map(({ local_id }, i) => {
      const { x, y } = corner(i)
      return html`<g class="agent${changed.has(local_id) && ' changed'}">
        <rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10" />
        <text x="${x + box.width / 2}" y="${y + box.height / 2}">${shortName(local_id)}</text>
      </g>`
    })}
  </svg>`
}

interface Corner {
  x: number
  y: number
}

/** A curve from one agent to another, which leads around those that stand between them. */
function lineOf(from: Corner, to: Corner, kind: string): Html {
  const rows = Math.round((to.y - from.y) / (box.height + box.down))
  const path = rows === 1 ? down(from, to) : rows === 0 ? along(from, to) : around(from, to)
  return html`<path
    class="${rows < 0 ? 'line back' : 'line'}"
    d="${path}"
    marker-end="url(#tip-${kind})"
  />`
}

/** To the next row: from below to above. */
function down(from: Corner, to: Corner): string {
  const [x, y] = [from.x + box.width / 2, from.y + box.height]
  const end = to.x + box.width / 2
  const middle = (y + to.y) / 2
  return `M${x} ${y}C${x} ${middle} ${end} ${middle} ${end} ${to.y}`
}

/** In its row: to the neighbour straight, and over the heads of others. */
function along(from: Corner, to: Corner): string {
  const isNext = Math.abs(to.x - from.x) <= box.width + box.right
  const isRight = to.x > from.x
  if (isNext) {
    const y = from.y + box.height / 2
    return `M${from.x + (isRight ? box.width : 0)} ${y}H${to.x + (isRight ? 0 : box.width)}`
  }
  const [x, end] = [from.x + box.width / 2, to.x + box.width / 2]
  const above = from.y - box.down * 0.8
  return `M${x} ${from.y}C${x} ${above} ${end} ${above} ${end} ${to.y}`
}

/** Over several rows, or back: on the right on the way down, on the left on the way up. */
function around(from: Corner, to: Corner): string {
  const isDown = to.y > from.y
  const side = isDown ? box.width : 0
  const [x, y] = [from.x + side, from.y + box.height / 2]
  const [end, endY] = [to.x + side, to.y + box.height / 2]
  const out = isDown ? Math.max(x, end) + margin * 0.8 : Math.min(x, end) - margin * 0.8
  return `M${x} ${y}C${out} ${y} ${out} ${endY} ${end} ${endY}`
}

function shortName(text: string): string {
  const shown = withHiddenShown(text.slice(0, 60))
  return shown.length > 16 ? `${shown.slice(0, 15).toWellFormed()}…` : shown
}

/** The secrets that agents of a team wait for. */
export function missingOf(secrets: readonly NeededSecret[]): Html | undefined {
  const missing = secrets.filter(({ set }) => !set)
  if (missing.length === 0) return undefined
  return html`<section class="card" aria-labelledby="missing">
    <h2 id="missing">Secrets that are missing</h2>
    <ul class="plain">
      ${missing.slice(0, listedAtMost).map(
        ({ name: secret, description, required, agents }) =>
          html`<li>
            <code>${name(secret)}</code>${!required && ' (it may be left out)'}
            ${description !== null && html`<span class="soft" dir="auto">${withHiddenShown(description.slice(0, 300))}</span>`}
            <span class="soft">for ${count(agents.filter(({ set }) => !set).length, 'agent')}</span>
          </li>`,
      )}
    </ul>
    ${leftOut(missing.length - listedAtMost, 'secret')}
  </section>`
}

/** What was changed by hand since the manifest was applied. */
export function driftOf(drift: readonly Drift[]): Html | undefined {
  if (drift.length === 0) return undefined
  return html`<section class="card" aria-labelledby="drift">
    <h2 id="drift">Changed by hand since</h2>
    <ul class="plain">
      ${drift
        .slice(0, listedAtMost)
        .map(
          ({ local_id, change, members }) =>
            html`<li>
              ${name(local_id)}
              ${change === 'deleted' ? 'was deleted' : html`<code>${name(members.slice(0, 8).join(', '), 300)}</code>`}
            </li>`,
        )}
    </ul>
    ${leftOut(drift.length - listedAtMost, 'agent')}
  </section>`
}

/** The same in words. */
export function listOf({ agents, connections }: Team, _at: Showing): Html {
  const next = Map.groupBy(connections, ({ from }) => from)
  const shown = agents.slice(0, listedAtMost)
  return html`<details id="in-words">
    <summary>In words</summary>
    <ul class="plain">
      ${shown.map(({ local_id, id, orphaned }) => {
        const to = [...(next.get(local_id) ?? []), ...(local_id === id ? [] : (next.get(id) ?? []))]
        return html`<li>
          ${name(local_id)}
          <code class="soft">${name(id)}</code>${orphaned && ' (no longer in the manifest)'}
          ${
            to.length > 0 &&
            html`<ul class="plain">
                ${to.slice(0, 12).map(connectionOf)}
              </ul>
              ${leftOut(to.length - 12, 'connection')}`
          }
        </li>`
      })}
    </ul>
    ${leftOut(agents.length - shown.length, 'agent')}
  </details>`
}

function connectionOf({ to, permissions }: App['connections'][number]): Html {
  return html`<li class="calm">
    ${icon('arrow')} ${name(to)} <span class="soft">${name(permissions.join(', '))}</span>
  </li>`
}
