import type { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { PlanItem } from '#src/apps/plan.ts'
import { icon, leftOut, name } from '#src/views/parts.ts'
import { driftOf } from '#src/views/team.ts'
import type { AnswerOf } from '../ask.ts'
import { diffOf } from '../console/diff.ts'
import { empty, part } from '../console/parts.ts'
import { area, tick } from '../fields.ts'

type Plan = AnswerOf<typeof agentOperations.teams.plan>

/** A manifest as it was pasted. */
export interface Pasted {
  text: string
  /** Whether what it does not name is removed. */
  prune: boolean
  /** The manifest of the team is longer than the page takes. */
  isLong?: boolean
}

/** The form into which a manifest is pasted. */
export function pasteView({ text, prune, isLong }: Pasted, problems: readonly string[]): Html {
  const shown = problems.slice(0, 20)
  return html`<form method="post" class="card wide" novalidate>
    ${
      shown.length > 0 &&
      html`<div class="problem" role="alert">
        <ul>
          ${shown.map((one) => html`<li>${withHiddenShown(one.slice(0, 600))}</li>`)}
        </ul>
        ${leftOut(problems.length - shown.length, 'problem')}
      </div>`
    }
    ${
      isLong === true &&
      html`<p class="outside">
        ${icon('warning')}<span
          >The manifest of this team is too long to be shown here. A program applies it.</span
        >
      </p>`
    }
    ${area({
      name: 'manifest',
      label: 'The manifest',
      hint: 'JSON. Change it here, or paste another. *** keeps a secret as it is.',
      attributes: html`rows="20" spellcheck="false" autocomplete="off" class="code"`,
      value: text,
      problems: {},
    })}
    ${tick({
      name: 'prune',
      label: 'Remove agents, tasks and connections that it does not name',
      isTicked: prune,
      problems: {},
    })}
    <button class="main" name="action" value="look">Look at what it would do</button>
  </form>`
}

/** What a manifest would do, and both manifests line by line. */
interface Planned {
  plan: Plan
  before: string
  after: string
  revision: number
}

/** The plan, with the button that carries it out. */
export function plannedView(shown: Planned, { text, prune }: Pasted, isLate: boolean): Html {
  return html`${isLate && lateOf()} ${planOf(shown)}
    <form method="post">
      <input type="hidden" name="manifest" value="${text}" />
      ${prune && html`<input type="hidden" name="prune" value="true" />`}
      <input type="hidden" name="revision" value="${shown.revision}" />
      <div class="buttons">
        <button class="main" name="action" value="save">Apply it</button>
        <button name="action" value="edit">Change it again</button>
      </div>
    </form>`
}

/** Tells that nothing was done, since another was faster. */
export function lateOf(): Html {
  return html`<p class="problem" role="alert">
    The team was changed meanwhile, by another or in another tab, so nothing was applied. Here is
    what it would do now.
  </p>`
}

/** What would be created, changed and removed, and what was changed by hand and would be undone. */
export function planOf({ plan, before, after }: Planned): Html {
  const { create, update, remove, orphaned, drift, warnings } = plan
  const isNothing = create.length + update.length + remove.length === 0
  return html`${part(
    'This will change',
    'plan',
    isNothing
      ? empty('Nothing: the team is as this manifest says.')
      : html`<div class="card">
          ${listOf('New', create)} ${listOf('Changed', update)} ${listOf('Removed', remove)}
          ${listOf('No longer named, and left as it is', orphaned)}
        </div>`,
  )}
  ${driftOf(drift)}
  ${
    warnings.length > 0 &&
    part(
      'To know',
      'warnings',
      html`<div class="card">
        <ul class="plain">
          ${warnings.slice(0, 20).map(({ message }) => html`<li dir="auto">${withHiddenShown(message.slice(0, 400))}</li>`)}
        </ul>
      </div>`,
    )
  }
  ${before !== after && part('Line by line', 'lines', diffOf(before, after))}`
}

const kinds: Readonly<Record<PlanItem['kind'], string>> = {
  app: 'the team itself',
  agent: 'agent',
  task: 'task',
  connection: 'connection',
}
const listedAtMost = 50

function listOf(title: string, items: readonly PlanItem[]): Html | undefined {
  if (items.length === 0) return undefined
  return html`<h3>${title}</h3>
    <ul class="plain">
      ${items.slice(0, listedAtMost).map(
        ({ kind, id, members = [] }) =>
          html`<li>
            ${kinds[kind]} <code>${name(id, 160)}</code>
            ${members.length > 0 && html`<span class="soft">${name(members.join(', '), 300)}</span>`}
          </li>`,
      )}
    </ul>
    ${leftOut(items.length - listedAtMost, 'thing')}`
}
