import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Leave } from '#src/core/html/view.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { timeOf } from '#src/views/moments.ts'
import { leftOut, name } from '#src/views/parts.ts'
import { answered, told, type AnswerOf, type Terms } from '#protocol/web/ask.ts'
import { diffOf } from '#protocol/web/console/diff.ts'
import type { ConsoleView } from '#protocol/web/console/frame.ts'
import { empty, part } from '#protocol/web/console/parts.ts'
import type { Looking } from '#protocol/web/console/reader.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { numberIn } from '#protocol/web/fields.ts'
import { onceField, onceIn } from '#protocol/web/once.ts'
import { agentOf, agentView } from '../frame.ts'
import { authorsOf } from './authors.ts'
import { differencesOf, type Difference } from './differences.ts'
import { memberTitle } from './words.ts'

/** An agent as it was, next to what it is now, and the button that brings it back. */
export function revisionScreen(terms: Terms, id: string, revision: number): ConsoleScreen {
  return {
    here: terms.paths.agent(id, ['revisions', String(revision)]),
    show: (_query, looking) => lookAt(looking, id, revision),
    async submit(form, looking) {
      const expected = numberIn(form.get('revision'))
      if (form.get('action') !== 'restore' || expected === undefined) {
        return lookAt(looking, id, revision)
      }
      const asked = { ...looking.as, expected, idempotencyKey: onceIn(form) }
      return restored(looking, { char_id: id, revision }, asked)
    },
  }
}

interface Place {
  char_id: string
  revision: number
}

async function restored(
  looking: Looking,
  place: Place,
  asked: Parameters<typeof told>[3],
): Promise<ConsoleView | Leave> {
  const { terms } = looking
  const { restore } = agentOperations.revisions
  const answer = await told(terms, restore, place, asked)
  if (answer.refusal) {
    if (answer.refusal.code !== 'revision_mismatch') throw answer.refusal
    return lookAt(looking, place.char_id, place.revision, true)
  }
  const { warnings = [], ...agent } = answer.value
  const there = terms.paths.agent(place.char_id, [], { done: 'restored' })
  if (warnings.length === 0) return { goTo: there }
  const main = html`<p class="done" role="status">It is again as it was.</p>
    ${part(
      'What did not come back whole',
      'warnings',
      html`<div class="card">
          <ul class="plain">
            ${warnings.slice(0, shownAtMost).map(({ pointer, message }) => html`<li><code>${name(pointer ?? '', 160)}</code> ${withHiddenShown(message.slice(0, 400))}</li>`)}
          </ul>
          ${leftOut(warnings.length - shownAtMost, 'thing')}
        </div>
        <p><a class="button main" href="${there}">Go to the agent</a></p>`,
    )}`
  return agentView(looking, agent, { part: '', about: 'An earlier version', main })
}

const shownAtMost = 30

async function lookAt(
  looking: Looking,
  char_id: string,
  revision: number,
  isLate = false,
): Promise<ConsoleView> {
  const { terms, as, at } = looking
  const [agent, past] = await Promise.all([
    agentOf(looking, char_id),
    answered(terms, agentOperations.revisions.get, { char_id, revision }, as),
  ])
  const who = await authorsOf(looking, [past.actor])
  const differences = differencesOf(agent, past.character)
  const main = html`${isLate && late}
    <p class="lead">
      As it was until ${timeOf(past.created_at, at)}, when ${who(past.actor)} changed it.
      <a href="${terms.paths.agent(char_id, ['revisions'])}">All earlier versions</a>
    </p>
    ${differences.length === 0 ? empty('It is as it was then: there is nothing to restore.') : restorableView(differences, past, agent.revision)}`
  const status = isLate ? 409 : 200
  return agentView(looking, agent, { part: '', about: 'An earlier version', main, status })
}

const late = html`<p class="problem" role="alert">
  It was changed meanwhile, by another or in another tab, so nothing was restored. Here is what
  restoring would do to it as it is now.
</p>`

type Past = AnswerOf<(typeof agentOperations)['revisions']['get']>

function restorableView(differences: readonly Difference[], past: Past, now: number): Html {
  return html`${part(
      'Restoring it would change',
      'change',
      html`${differences.slice(0, shownAtMost).map(
        (one) =>
          html`<h3>${titleOf(one)}</h3>
            ${diffOf(one.now, one.was)}`,
      )}
      ${leftOut(differences.length - shownAtMost, 'part')}`,
    )}
    <form method="post">
      ${onceField()}
      <input type="hidden" name="revision" value="${now}" />
      <p class="soft">
        What it is now is kept too, so that you can come back. Secrets stay as they are now; what
        had one that is gone is switched off.
      </p>
      <div class="buttons">
        <button class="main" name="action" value="restore">Restore version ${past.revision}</button>
      </div>
    </form>`
}

function titleOf({ member, task, now, was }: Difference): Html {
  if (task === undefined) return memberTitle(member)
  if (now === '') return html`The task ${name(task)} comes back`
  return html`The task ${name(task)}${was === '' && ' goes'}`
}
