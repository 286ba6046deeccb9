import type { Ports } from '#src/core/context.ts'
import { ownerOf, type Owner } from '#src/core/counts/quota-table.ts'
import { areRunsLimited } from '../skip-reason.ts'
import { isHeartbeatTask } from '#src/agents/tasks/heartbeat.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { rhythmOf, type Rhythm } from './rhythm.ts'

const none: Rhythm = { heartbeat: null, timezone: null }

/** What fires need to know of agents and accounts, read once for many tasks that are due together. */
export class Surroundings {
  readonly #ports: Pick<Ports, 'store' | 'quotas'>
  readonly #rhythms = new Map<string, Promise<Rhythm>>()
  readonly #owners = new Map<string, Promise<Owner & { isSuspended: boolean }>>()

  constructor(ports: Pick<Ports, 'store' | 'quotas'>) {
    this.#ports = ports
  }

  /** The rhythm of a task's agent, which is only looked up where the task depends on it. */
  rhythmOf(task: StoredTask): Promise<Rhythm> | Rhythm {
    if (!isHeartbeatTask(task) && !task.reliability?.active_window) return none
    const known = this.#rhythms.get(task.char_id) ?? rhythmOf(this.#ports.store, task)
    this.#rhythms.set(task.char_id, known)
    return known
  }

  /** Whose quota a run counts against; undefined where there is no such quota. */
  async ownerOf(task: StoredTask): Promise<Owner | undefined> {
    const owner = await this.#known(task)
    return areRunsLimited(this.#ports, owner) ? owner : undefined
  }

  /** Whether the operator has suspended the account of a task. */
  async isSuspended(task: StoredTask): Promise<boolean> {
    return (await this.#known(task)).isSuspended
  }

  #known(task: StoredTask) {
    const known = this.#owners.get(task.owner_id) ?? this.#readOwner(task.owner_id)
    this.#owners.set(task.owner_id, known)
    return known
  }

  async #readOwner(accountId: string) {
    const account = await this.#ports.store.accounts.get(accountId)
    const isSuspended = account?.suspended_at !== undefined
    return { ...ownerOf(accountId, account), isSuspended }
  }
}
