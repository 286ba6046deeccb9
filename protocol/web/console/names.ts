import type { Store } from '#src/ports/store.ts'
import { name } from '#src/views/parts.ts'
import type { Html } from '#src/core/html/html.ts'

/** The names of agents by their ids. */
export class Names {
  readonly #names: ReadonlyMap<string, string>

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names
  }

  /** The name, or the id of an agent that has none any more. */
  of(id: string): Html {
    return name(this.#names.get(id) ?? id)
  }
}

/** Looks up the names of those agents. */
export async function namesOf(
  { characters }: Pick<Store, 'characters'>,
  ids: readonly string[],
): Promise<Names> {
  const some = [...new Set(ids)]
  if (some.length === 0) return new Names(new Map())
  const rows = await characters.pick(['id', 'name'], { id: { $in: some } })
  return new Names(new Map(rows.map(([id, called]) => [String(id), String(called)])))
}
