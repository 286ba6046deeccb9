import type { StoredTask } from '#src/agents/tasks/task.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'
import type { Filter } from '#src/ports/filter.ts'

/** Tasks that one look finds. */
const foundAtOnce = 256
/** Accounts with schedules that it looks at where more are due than that. */
const accountsAtOnce = 32
/** Tasks of each of them. */
const eachAtOnce = 4

/**
 * The tasks that are due, of all accounts the longest due first. Where there are more than one look
 * finds, half of what it finds are tasks of each account in turn, so that none waits for all of another's.
 */
export class DueTasks {
  readonly #tasks: Store['tasks']
  #after = ''

  constructor({ tasks }: Pick<Store, 'tasks'>) {
    this.#tasks = tasks
  }

  /** Their ids. */
  async next(now: Date): Promise<string[]> {
    const due_at = { $lte: timestamp(now) }
    const longest = await this.#ids({ due_at }, foundAtOnce)
    if (longest.length < foundAtOnce) return longest
    const found = new Set<string>()
    for (const owner_id of await this.#accounts()) {
      for (const id of await this.#ids({ owner_id, due_at }, eachAtOnce)) found.add(id)
    }
    for (const id of longest) {
      if (found.size === foundAtOnce) break
      found.add(id)
    }
    return [...found]
  }

  async #ids(filter: Filter<StoredTask>, limit: number): Promise<string[]> {
    const rows = await this.#tasks.pick(['id'], filter, { sort: { due_at: 1 }, limit })
    return rows.map(([id]) => String(id))
  }

  /** The accounts with schedules whose turn it is: once around at most. */
  async #accounts(): Promise<string[]> {
    const accounts = new Set<string>()
    for (let isAround = false; accounts.size < accountsAtOnce;) {
      const page = { sort: { owner_id: 1, due_at: 1 }, limit: 1 } as const
      const next = { owner_id: { $gt: this.#after }, due_at: { $gt: '' } }
      const [found] = await this.#tasks.pick(['owner_id'], next, page)
      const account = found && String(found[0])
      if (account !== undefined && accounts.has(account)) break
      if (account === undefined && isAround) break
      isAround ||= account === undefined
      this.#after = account ?? ''
      if (account !== undefined) accounts.add(account)
    }
    return [...accounts]
  }
}
