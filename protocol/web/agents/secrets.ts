import { agentOperations } from '#src/catalog/agent-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { SecretShown } from '#src/agents/secrets/stored-secrets.ts'
import type * as z from 'zod'
import { timeOf } from '#src/views/moments.ts'
import { badge, name } from '#src/views/parts.ts'
import { answered, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { lines, part, type Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { area, field, problemOfAll } from '../fields.ts'
import { linesIn } from './edit/form.ts'
import { again, surely, type FormState } from './form-page.ts'
import { agentOf, agentView } from './frame.ts'

type Secret = z.infer<typeof SecretShown>

/** The secrets of an agent by their names: a value goes in and never comes out. */
export function secretsScreen(terms: Terms, id: string): ConsoleScreen {
  const here = terms.paths.agent(id, ['secrets'])
  return {
    here,
    formBytesAtMost: 131_072,
    show: (query, looking, typed) => shown(looking, id, { typed }, query),
    async submit(form, looking) {
      const action = form.get('action')
      if (action !== 'set' && action !== 'delete') return { goTo: here }
      const secrets = [action === 'set' ? secretIn(form) : goneIn(form)]
      const { update } = agentOperations.secrets
      const { refusal } = await told(terms, update, { char_id: id, secrets }, looking.as)
      if (!refusal) return { goTo: terms.paths.agent(id, ['secrets'], { done: action }) }
      const names = {
        '/secrets/0/name': 'name',
        '/secrets/0/value': 'value',
        '/secrets/0/origins': 'origins',
      }
      return again(refusal, form, names, (state) => shown(looking, id, state))
    },
  }
}

function goneIn(form: URLSearchParams) {
  return { name: form.get('name') ?? '', value: null }
}

/** A value that is left empty stays as it is, and so do the places where nothing is typed. */
function secretIn(form: URLSearchParams) {
  const [value, origins] = [form.get('value') ?? '', linesIn(form.get('origins') ?? '')]
  return {
    name: (form.get('name') ?? '').trim(),
    ...(value !== '' && { value }),
    ...(origins.length > 0 && { origins }),
  }
}

async function shown(
  looking: Looking,
  id: string,
  state: FormState,
  query = new URLSearchParams(),
): Promise<ConsoleView> {
  const { terms, as } = looking
  const [agent, { items }] = await Promise.all([
    agentOf(looking, id),
    answered(terms, agentOperations.secrets.list, { char_id: id }, as),
  ])
  const words = doneWords.get(query.get('done') ?? '')
  const deletion = query.get('delete')
  const main = html`${words !== undefined && html`<p class="done" role="status">${words}</p>`}
    ${deletion !== null && surely(html`Delete the secret <code>${name(deletion)}</code>? Runs that need it fail from then on.`, html`<button class="bad" name="action" value="delete">Delete it</button>`, ['name', deletion], terms.paths.agent(id, ['secrets']))}
    <div class="panes">
      <div>
        ${part(
          'Secrets',
          'secrets',
          lines(
            items.map((secret) => lineOf(looking, id, secret)),
            'It has no secrets.',
          ),
        )}
      </div>
      <div>${formOf({ typed: state.typed ?? namedIn(query), problems: state.problems ?? {} })}</div>
    </div>`
  return agentView(looking, agent, { part: 'secrets', main })
}

/** A link may name the secret to set. A value and where it is sent are never typed by another. */
function namedIn(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams({ name: query.get('name') ?? '' })
}

const doneWords: ReadonlyMap<string, string> = new Map([
  ['set', 'The secret is set. Its value is not shown again.'],
  ['delete', 'The secret is deleted.'],
])

function lineOf({ terms: { paths }, at }: Looking, id: string, secret: Secret): Line {
  const { name: called, set, last4, updated_at, origins } = secret
  const change = paths.agent(id, ['secrets'], { name: called })
  return {
    name: html`<code>${name(called)}</code>`,
    about: html`${last4 !== null && html`ends in <code>${last4}</code>, `}${
      updated_at === null ? 'asked for by its team' : html`set ${timeOf(updated_at, at)}`
    }${origins !== null && html`, goes to ${name(origins.join(', '), 200)}`}`,
    end: html`<a href="${change}">${set ? 'Change it' : 'Set it'}</a>
      ${set ? html`<a href="${paths.agent(id, ['secrets'], { delete: called })}">Delete it…</a>` : badge({ word: 'Missing', tone: 'wait', icon: 'hand' })}`,
  }
}

function formOf({ typed, problems = {} }: FormState): Html {
  return part(
    'Set a secret',
    'set-title',
    html`<form method="post" class="card" novalidate>
      ${problemOfAll(problems)}
      ${field({
        name: 'name',
        label: 'Name',
        hint: 'As tasks name it, such as MAIL_KEY.',
        attributes: html`maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"
        required`,
        value: typed?.get('name') ?? '',
        problems,
      })}
      ${field({
        name: 'value',
        label: 'Value',
        hint: 'It is sealed, and never shown again.',
        attributes: html`type="password" autocomplete="new-password" maxlength="8192"`,
        value: typed?.get('value') ?? '',
        problems,
      })}
      ${area({
        name: 'origins',
        label: 'Where it may be sent',
        hint: 'One address on each line, such as https://mail.example; left empty, it stays as it is.',
        attributes: html`rows="2" autocomplete="off" spellcheck="false"`,
        value: typed?.get('origins') ?? '',
        problems,
      })}
      <button class="main" name="action" value="set">Set it</button>
    </form>`,
  )
}
