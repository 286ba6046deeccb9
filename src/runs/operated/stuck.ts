import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'

/** A run that waits, or is worked on, for long. */
export interface StuckRun {
  run_id: string
  account_id: string
  char_id: string
  task_id: string | null
  status: string
  /** What it waits for, in a word. */
  reason: string
  /** Since when it waits or is worked on, RFC 3339. */
  since: string
  seconds: number
}

/** What a run that has not ended waits for, each read by its own index. */
const waits = ['worker', 'room', 'turn', 'brain', 'approval', 'steps', 'resume', 'time'] as const

/** What a run waits for, where it is neither a suspended account nor an end of all claims. */
const words = {
  worker: 'no_worker',
  room: 'concurrency',
  turn: 'waiting_for_turn',
  brain: 'waiting_for_worker',
  approval: 'approval',
  steps: 'waiting_for_steps',
  resume: 'task_paused',
  time: 'not_before',
} as const satisfies Record<(typeof waits)[number], string>

export interface Sought {
  /** Seconds: only what waits or is worked on for longer. */
  longerThan: number
  accountId: string | undefined
  reason: string | undefined
  limit: number
}

/** How many of each kind are looked at where one reason is looked for. */
const lookedAt = 1000

interface Standing {
  store: Store
  now: Date
  /** The store's time for leases. */
  leases: string
  isDrained: boolean
  /** By id: suspended, closed or neither. */
  accounts: Map<string, 'account_suspended' | 'account_closed' | undefined>
}

/**
 * The runs that wait, or are worked on, for longer than a bound, with what they wait for: those first that do so for
 * longest. It reads by the indexes of what runs wait for.
 */
export async function stuckRuns(
  store: Store,
  { longerThan, accountId, reason, limit }: Sought,
  now: Date,
  isDrained: boolean,
): Promise<StuckRun[]> {
  const before = { $lte: timestamp(new Date(now.getTime() - longerThan * 1000)) }
  const leases = timestamp(await store.leaseTime())
  const standing: Standing = { store, now, leases, isDrained, accounts: new Map() }
  const found: StuckRun[] = []
  for (const waits_for of waits) {
    const since: Filter<StoredRun> =
      waits_for === 'time'
        ? { due_at: before }
        : {
            $or: [
              { status: 'running', started_at: before },
              {
                status: { $in: ['queued', 'waiting_approval', 'waiting_input'] },
                created_at: before,
              },
            ],
          }
    const filter = { waits_for, ...(accountId !== undefined && { owner_id: accountId }), ...since }
    const most = reason === undefined ? limit : lookedAt
    // Their inputs may be large.
    for (const row of await store.runs.pick(paths, filter, { sort: { due_at: 1 }, limit: most })) {
      found.push(await shown(standing, waitingIn(row)))
    }
  }
  const wanted = reason === undefined ? found : found.filter((one) => one.reason === reason)
  return wanted.toSorted((a, b) => (a.since < b.since ? -1 : 1)).slice(0, limit)
}

const paths = [
  'id',
  'owner_id',
  'char_id',
  'task_id',
  'status',
  'reason',
  'waits_for',
  'due_at',
  'created_at',
  'started_at',
] as const
type Waiting = Pick<StoredRun, (typeof paths)[number]>

function waitingIn(row: Picked): Waiting {
  // As the run keeps them.
  return Object.fromEntries(paths.map((path, at) => [path, row[at] ?? null])) as unknown as Waiting
}

async function shown(standing: Standing, run: Waiting): Promise<StuckRun> {
  const { id: run_id, owner_id: account_id, char_id, task_id, status } = run
  const since = status === 'running' ? (run.started_at ?? run.created_at) : run.created_at
  const seconds = Math.round((standing.now.getTime() - Date.parse(since)) / 1000)
  const reason = await reasonOf(standing, run)
  return { run_id, account_id, char_id, task_id, status, reason, since, seconds }
}

async function reasonOf(standing: Standing, run: Waiting): Promise<string> {
  const { waits_for, status, reason, due_at } = run
  if (status === 'running' && (waits_for === 'worker' || waits_for === 'brain')) {
    if (due_at !== null && due_at <= standing.leases) return 'lease_expired'
    return waits_for === 'worker' ? 'running' : 'leased'
  }
  const state = await stateOf(standing, run.owner_id)
  if (state) return state
  const isClaimable = waits_for === 'worker' || waits_for === 'brain' || waits_for === 'room'
  if (isClaimable && standing.isDrained) return 'draining'
  if (status === 'waiting_input') return 'input'
  return reason ?? (waits_for === null ? status : words[waits_for])
}

async function stateOf({ store, accounts }: Standing, id: string) {
  if (!accounts.has(id)) {
    const account = await store.accounts.get(id)
    const state = account?.suspended_at === undefined ? undefined : 'account_suspended'
    accounts.set(id, account?.closed_at === undefined ? state : 'account_closed')
  }
  return accounts.get(id)
}
