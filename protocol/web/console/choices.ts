import { html, type Html } from '#src/core/html/html.ts'
import { choice, field, type Problems } from '../fields.ts'
import type { Looking } from './reader.ts'

/** Things to choose from, each with its name. */
export interface Choices {
  newest: readonly (readonly [id: string, name: string])[]
  /** There are more than these. */
  more: boolean
}

const atMost = 50

/** The agents of the account to choose from. */
export function agentChoices({ terms: { store }, account }: Looking): Promise<Choices> {
  return choices(store.characters.pick(['id', 'name'], { owner_id: account.id }, newest))
}

/** The teams of the account to choose from. */
export function teamChoices({ terms: { store }, account }: Looking): Promise<Choices> {
  return choices(store.apps.pick(['id', 'name'], { owner_id: account.id }, newest))
}

/** The tasks of one of its agents. */
export function taskChoices({ terms: { store }, account }: Looking, char_id: string) {
  const own = { char_id, owner_id: account.id }
  return choices(store.tasks.pick(['task_id', 'name'], own, { limit: atMost + 1 }))
}

const newest = { sort: { created_at: -1 }, limit: atMost + 1 } as const

async function choices(
  picked: Promise<readonly (readonly (string | number | null)[])[]>,
): Promise<Choices> {
  const rows = await picked
  const all = rows.map(([id, name]) => [String(id), String(name ?? id)] as const)
  return { newest: all.slice(0, atMost), more: all.length > atMost }
}

/** A field to choose one in: a list if it can hold all of them, else the id is typed. */
export function choiceOf(
  name: string,
  label: string,
  { newest: some, more }: Choices,
  chosen: string | undefined,
  problems: Problems = {},
): Html {
  const option = (id: string, words: string): Html =>
    html`<option value="${id}" ${id === chosen && html`selected`}>${words}</option>`
  const isAmong = chosen === undefined || some.some(([id]) => id === chosen)
  if (!more) {
    const options = [
      option('', 'All'),
      !isAmong && option(chosen, chosen),
      some.map(([id, words]) => option(id, words)),
    ]
    return choice({ name, label, problems, options })
  }
  const attributes = html`list="${name}-choices" maxlength="128" autocomplete="off"
  autocapitalize="none" spellcheck="false" placeholder="Its id"`
  return html`${field({ name, label, attributes, value: chosen, problems })}<datalist
      id="${name}-choices"
    >
      ${some.map(([id, words]) => option(id, words))}
    </datalist>`
}
