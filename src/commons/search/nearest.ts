import type { Caller } from '#src/core/admission/caller.ts'
import type { Ports } from '#src/core/context.ts'
import { queryVector } from '#src/core/text/query-vector.ts'
import { nearestOf, nearness, unpacked, type Vectors } from '#src/core/text/vectors.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Embeddings } from '#src/ports/model.ts'
import { threadsAtMost, type ThreadVector } from './vectors.ts'

/** How old what is known of vectors may be, in milliseconds; and by how much clocks may differ, in seconds. */
const freshMs = 5_000
const skewSeconds = 60
/** Vectors that are read, and that are compared, in one turn of the event loop. */
const readAtOnce = 64
const comparedAtOnce = 2_000
/** How many queries are embedded for one caller, and for all of them: beyond it words alone find. */
const ofOneCaller = { count: 30, seconds: 60 }
const ofAll = { count: 600, seconds: 60 }

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log' | 'limiter'>

/** For whom a query is embedded. */
export interface Asker {
  caller: Pick<Caller, 'subject'>
  address: string
}

interface Known {
  edits: number
  vector: Vectors
}

/** What a process knows of the vectors of a model. */
interface Memory {
  threads: Map<string, Known>
  /** When the newest vector that is known was made. */
  newest: string
  at: number
  loading: Promise<void> | undefined
}

const memories = new WeakMap<Embeddings, Memory>()

/** A thread that is near, and the number of changes that it had had when its vector was made. */
export interface Near {
  id: string
  edits: number
}

/**
 * The threads that are closest to the text in meaning, nearest first; none if there is no model, its
 * provider is away, or too much was asked. A thread may have been changed or removed since.
 */
export async function nearestThreads(
  ports: Needed,
  text: string,
  limit: number,
  asker: Asker,
): Promise<Near[]> {
  const { embeddings } = ports.models
  if (!embeddings) return []
  const memory = await upToDate(ports, embeddings)
  if (memory.threads.size === 0 || !(await mayAsk(ports, asker))) return []
  const query = await queryVector(ports, embeddings, text)
  if (!query) return []
  const found: { id: string; near: number }[] = []
  let compared = 0
  for (const [id, { vector }] of memory.threads) {
    const near = nearness(vector, query)[0] ?? 0
    if (near > 0) found.push({ id, near })
    compared += 1
    if (compared % comparedAtOnce === 0) await ports.clock.turn()
  }
  return nearestOf(found, limit).map((id) => ({ id, edits: memory.threads.get(id)?.edits ?? -1 }))
}

async function mayAsk({ limiter }: Needed, { caller, address }: Asker): Promise<boolean> {
  const who = caller.subject ?? address
  const own = await limiter.take('commons_meanings', ofOneCaller, who)
  return own.admitted && (await limiter.take('commons_meanings_all', ofAll, 'all')).admitted
}

/** The vectors of the newest threads, read once, and from then on those that were made since. */
async function upToDate(ports: Needed, embeddings: Embeddings): Promise<Memory> {
  const memory = memories.get(embeddings) ?? {
    threads: new Map<string, Known>(),
    newest: '',
    at: Number.NEGATIVE_INFINITY,
    loading: undefined,
  }
  memories.set(embeddings, memory)
  if (ports.clock.monotonic() - memory.at < freshMs) return memory
  memory.loading ??= loaded(ports, embeddings.model, memory).finally(() => {
    memory.loading = undefined
  })
  await memory.loading
  return memory
}

async function loaded(
  { store, clock }: Pick<Needed, 'store' | 'clock'>,
  model: string,
  memory: Memory,
): Promise<void> {
  const at = clock.monotonic()
  const since = memory.newest === '' ? '' : secondsAfter(new Date(memory.newest), -skewSeconds)
  let [last, read] = ['', 0]
  do {
    const newest = { sort: { id: -1 }, limit: readAtOnce } as const
    const among = { made_at: { $gte: since }, ...(last !== '' && { id: { $lt: last } }) }
    const some = await store.commons_vectors.find(among, newest)
    for (const one of some) take(memory, one, model)
    read += some.length
    last = some.length < readAtOnce ? '' : (some.at(-1)?.id ?? '')
    if (last !== '') await clock.turn()
  } while (last !== '' && read < threadsAtMost)
  forgetOldest(memory.threads)
  memory.at = at
}

function take(memory: Memory, one: ThreadVector, model: string): void {
  if (one.made_at > memory.newest) memory.newest = one.made_at
  const vector = one.model === model ? unpacked(one.data, one.length) : undefined
  if (vector) memory.threads.set(one.id, { edits: one.edits, vector })
  else memory.threads.delete(one.id)
}

/** Ids begin with the time of the thread. */
function forgetOldest(threads: Memory['threads']): void {
  if (threads.size <= threadsAtMost) return
  const ids = [...threads.keys()].sort()
  for (const id of ids.slice(0, threads.size - threadsAtMost)) threads.delete(id)
}
