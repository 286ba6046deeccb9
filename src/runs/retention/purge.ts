import type { Ports } from '#src/core/context.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { idsAmong, largeSizes } from '#src/core/large/sizes.ts'
import { idsBefore } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'
import { isNeeded, removeRuns, type Leaving } from './remove.ts'

type Needed = Pick<Ports, 'store' | 'quotas' | 'settings'>

const daySeconds = 86_400
/** Longer ago than any record. */
const daysAtMost = 36_500
/** Runs that are read at once: each may hold megabytes. */
const atOnce = 10
/** Ids that are read at once, from an index. */
const idsAtOnce = 1000
/** Behind the id of every run. */
const allRuns = 'run_~'
/** The assumed size of an older run whose size was not recorded. */
const unknownBytes = 262_144

/** The members of an account that decide how long its runs are kept. */
export interface Plan {
  id: string
  holder_id: string | null
  /** How many days the account itself keeps them, however few there are; Infinity: as the operator does. */
  ownDays: number
  /** Whether none of its runs is kept, because it is deleted itself. */
  keepsNone: boolean
}

/** Some deleted runs. */
export interface Gone {
  runs: number
  /** When the last of them completed: the account would lose that as a sign of use. */
  completedAt: string | null
}

/**
 * Deletes the ended runs of an account that are no longer kept, a few at a time: of an unclaimed account
 * those that are too old or too many, of a claimed one those that are both.
 */
export async function* expiredRuns(ports: Needed, account: Plan, now: Date): AsyncGenerator<Gone> {
  const { store, settings } = ports
  if (account.keepsNone) {
    yield* removed(ports, { owner_id: account.id }, allRuns, () => Promise.resolve(true))
    return
  }
  if (account.ownDays !== Infinity) {
    const since = new Date(now.getTime() - account.ownDays * daySeconds * 1000)
    const own = { owner_id: account.id }
    yield* removed(ports, own, idsBefore('run', since), ({ finishedAt }) =>
      Promise.resolve((finishedAt ?? '') < timestamp(since)),
    )
  }
  const isClaimed = account.holder_id !== null
  const bounds = isClaimed ? settings.retention.runs_claimed : settings.retention.runs_unclaimed
  const young = new Date(now.getTime() - Math.min(bounds.days, daysAtMost) * daySeconds * 1000)
  const newest = new Newest(store, bounds.count)
  const isOld = ({ finishedAt }: Looked): boolean => (finishedAt ?? '') < timestamp(young)
  if (bounds.days !== Infinity) {
    // The ids tell when a run began, and are read from an index.
    const own = { owner_id: account.id }
    yield* removed(ports, own, idsBefore('run', young), async (run) => {
      return isOld(run) && (!isClaimed || (await newest.lacks(run)))
    })
  }
  if (isClaimed || bounds.count === Infinity) return
  for (const [id] of await store.characters.pick(['id'], { owner_id: account.id })) {
    const char_id = String(id)
    const oldest = await newest.oldestOf(char_id)
    if (oldest === null) continue
    yield* removed(ports, { char_id }, oldest, async ({ owner_id }) => owner_id === account.id)
  }
}

/** Deletes those runs of a filter that match the predicate, page by page. */
async function* removed(
  ports: Needed,
  among: Filter<StoredRun>,
  below: string,
  isGone: (run: Looked) => Promise<boolean>,
): AsyncGenerator<Gone> {
  const { runs } = ports.store
  for (let after = ''; ;) {
    const page = { ...among, id: { $gt: after, $lt: below } }
    const ids = await runs.pick(['id'], page, { sort: { id: 1 }, limit: atOnce })
    const leaving: Looked[] = []
    for (const run of await looked(
      ports.store,
      ids.map(([id]) => String(id)),
    )) {
      if ((await isGone(run)) && !(await isNeeded(ports.store, run))) leaving.push(run)
    }
    let gone = 0
    for (const portion of portionsOf(leaving, ({ size }) => size)) {
      gone += (await removeRuns(ports, portion)).length
    }
    const completed = leaving.flatMap((one) => (one.isCompleted ? (one.finishedAt ?? []) : []))
    yield { runs: gone, completedAt: completed.sort().at(-1) ?? null }
    const last = ids.at(-1)
    if (!last || ids.length < atOnce) return
    after = String(last[0])
  }
}

type Looked = Leaving & {
  char_id: string
  finishedAt: string | null
  isCompleted: boolean
  /** Also of what is kept apart, which goes with the last that refers to it. */
  size: number
}

/** The ended runs among these, without their contents. */
async function looked(
  { runs, large_values }: Pick<Store, 'runs' | 'large_values'>,
  ids: readonly string[],
): Promise<Looked[]> {
  // Sizes come first: the documents may be large, and are read in portions.
  const sized = await runs.pick(
    ['id', 'bytes', 'chat_id', 'sender', 'input_ref', 'output_ref'],
    { id: { $in: ids }, waits_for: null },
    { sort: { id: 1 } },
  )
  const sizes = await largeSizes(
    { large_values },
    sized.flatMap((row) => idsAmong(row.slice(-2))),
  )
  const rows = sized.map(([id, bytes, chatId, sender, ...refs]) => ({
    id: String(id),
    bytes: Number(bytes ?? unknownBytes),
    size: Number(bytes ?? unknownBytes) + sizes(idsAmong(refs)),
    ...(typeof chatId === 'string' && { chat_id: chatId }),
    ...(typeof sender === 'string' && { sender }),
  }))
  const all: Looked[] = []
  for (const portion of portionsOf(rows)) {
    const inside = await runs.pick(
      [
        'id',
        'owner_id',
        'char_id',
        'root_run_id',
        'approval_id',
        'finished_at',
        'status',
        'trigger.type',
        'trigger.caller.order_id',
      ],
      { id: { $in: portion.map(({ id }) => id) } },
    )
    const byId = new Map(inside.map((row) => [String(row[0]), row]))
    for (const row of portion) {
      const found = byId.get(row.id)
      if (found) all.push({ ...row, ...partsOf(found) })
    }
  }
  return all
}

function partsOf([, owner, char, root, approval, finished, status, type, order]: Picked) {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    owner_id: String(owner),
    char_id: String(char),
    root_run_id: String(root),
    approval_id: text(approval),
    finishedAt: text(finished),
    isCompleted: status === 'completed',
    trigger: { type: String(type), caller: { order_id: order } },
  }
}

/** The newest runs of agents. */
class Newest {
  readonly #store: Pick<Store, 'runs'>
  readonly #count: number
  readonly #oldest = new Map<string, string | null>()

  constructor(store: Pick<Store, 'runs'>, count: number) {
    this.#store = store
    this.#count = count
  }

  /** Whether a run is not one of them. */
  async lacks({ id, char_id }: Looked): Promise<boolean> {
    if (this.#count === Infinity) return false
    const oldest = await this.oldestOf(char_id)
    return oldest !== null && id < oldest
  }

  /** The id of the oldest of an agent's newest ones; null if it has no more than those. */
  async oldestOf(charId: string): Promise<string | null> {
    const known = this.#oldest.get(charId)
    if (known !== undefined) return known
    const oldest = await this.#find(charId)
    this.#oldest.set(charId, oldest)
    return oldest
  }

  async #find(char_id: string): Promise<string | null> {
    let left = this.#count
    let below: string | undefined
    for (;;) {
      const limit = Math.min(left, idsAtOnce)
      const among = { char_id, ...(below !== undefined && { id: { $lt: below } }) }
      const found = await this.#store.runs.pick(['id'], among, { sort: { id: -1 }, limit })
      const last = found.at(-1)
      left -= found.length
      if (!last || found.length < limit) return null
      below = String(last[0])
      if (left === 0) return below
    }
  }
}
