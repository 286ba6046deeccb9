import type { Operation } from '#src/core/operation.ts'
import type { Serving } from '#protocol/runs.ts'

/** The members of an item of knowledge that its task reads. */
export interface ItemShown {
  id: string
  url: string | null
  status: string
  error: { code: string } | null
  created_at: string
  updated_at: string
}

/** An item, and when a reading of it last ended. */
export interface ItemStanding {
  item: ItemShown
  settled_at: string | null
}

/** Items of the knowledge of agents as their caller sees them. */
export class Items {
  readonly #standings: Operation

  /** @param standings reads how items stand */
  constructor(standings: Operation) {
    this.#standings = standings
  }

  /**
   * Those of the items that the caller may see, in the order of their ids, each as often as it is named.
   * @throws Refusal when they cannot be read now
   */
  async look(ids: readonly string[], exchange: Serving): Promise<readonly ItemStanding[]> {
    const { answer, refusal } = await exchange.serve(this.#standings, { item_ids: ids })
    if (refusal) throw refusal
    return inOrder(ids, answer.text)
  }

  /**
   * The same at each change, until none is left or the signal is aborted.
   * @throws Refusal when they cannot be followed
   */
  async *follow(
    ids: readonly string[],
    exchange: Serving,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ItemStanding[]> {
    const following = { follow: true, signal }
    const { answer, refusal } = await exchange.serve(this.#standings, { item_ids: ids }, following)
    if (refusal) throw refusal
    for await (const { text } of answer.events ?? []) yield inOrder(ids, text)
  }
}

function inOrder(ids: readonly string[], text: string): readonly ItemStanding[] {
  // The operation behind it has this answer.
  const { items } = JSON.parse(text) as { items: ItemStanding[] }
  const byId = new Map(items.map((one) => [one.item.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
