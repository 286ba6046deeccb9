import { html, type Html } from '#src/core/html/html.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection } from '#src/ports/store.ts'
import { choice, field, type Problems } from '../fields.ts'
import type { Looking } from './reader.ts'

/** Things to choose from, each with its name; undefined where a list would be too long to choose from. */
export type Choices = readonly (readonly [id: string, name: string])[] | undefined

const atMost = 100

/** The agents of the account to choose from. */
export function agentChoices({ terms: { store }, account }: Looking): Promise<Choices> {
  return choices(store.characters, ['id', 'name'], { owner_id: account.id })
}

/** The teams of the account to choose from. */
export function teamChoices({ terms: { store }, account }: Looking): Promise<Choices> {
  return choices(store.apps, ['id', 'name'], { owner_id: account.id })
}

/** The tasks of one of its agents. */
export function taskChoices(
  { terms: { store }, account }: Looking,
  char_id: string,
): Promise<Choices> {
  return choices(store.tasks, ['task_id', 'name'], { char_id, owner_id: account.id })
}

async function choices<T extends { id: string; created_at: string }>(
  collection: Pick<Collection<T>, 'count' | 'pick'>,
  paths: Parameters<Collection<T>['pick']>[0],
  among: Filter<T>,
): Promise<Choices> {
  // To count them takes an index alone, while names are read from whole documents.
  if ((await collection.count(among, atMost + 1)) > atMost) return undefined
  const rows = await collection.pick(paths, among, { sort: { created_at: -1 }, limit: atMost })
  return rows.map(([id, name]) => [String(id), String(name ?? id)] as const)
}

/** A field to choose one in: a list if it can hold all of them, else the id is typed. */
export function choiceOf(
  name: string,
  label: string,
  some: Choices,
  chosen: string | undefined,
  problems: Problems = {},
): Html {
  if (!some) {
    const attributes = html`maxlength="128" autocomplete="off" autocapitalize="none"
    spellcheck="false" placeholder="Its id"`
    return field({ name, label, attributes, value: chosen, problems })
  }
  const option = (id: string, words: string): Html =>
    html`<option value="${id}" ${id === chosen && html`selected`}>${words}</option>`
  const isAmong = chosen === undefined || some.some(([id]) => id === chosen)
  const options = [
    option('', 'All'),
    !isAmong && option(chosen, chosen),
    some.map(([id, words]) => option(id, words)),
  ]
  return choice({ name, label, problems, options })
}
