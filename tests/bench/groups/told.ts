import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '#adapters/store/open.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import type { Bench, Group } from '../group.ts'
import { percentile } from '../measure.ts'
import { startProduct, type Started } from '../servers.ts'
import { heldRun, type Found, type Look } from '../waiters.ts'

/** On MongoDB where this names a database that may be filled. */
const uri = process.env.MONGODB_URI
const program = fileURLToPath(new URL('../waiters.ts', import.meta.url))
const runs = 40
const writesASecond = 50
const secondsEach = 12
/** So many who wait. */
const [some, many] = [1_500, 5_000]
/** At first a newcomer is told everything. */
const settlesMs = uri === undefined ? 1_000 : 9_000

/** What it costs, and how long it takes, that one process learns of what another has written. */
export const told: Group = {
  name: 'told',
  async measure(bench) {
    bench.say('telling other processes')
    const folder = join(bench.folder, 'told')
    const place = createServer(answerLater).listen(0, '127.0.0.1')
    await once(place, 'listening')
    try {
      const { queue, late, run } = await measureRuns(folder, place)
      bench.note('toldQueue', percentile(queue, 0.5))
      bench.note('toldEvents', percentile(late, 0.95))
      const store = await openStore({ folder, uri })
      // As a process of the service does, which is told as well.
      store.watch(() => undefined)
      if (run) await stock(store, run)
      await measureWaiters(bench, folder, store)
      await store.close()
    } finally {
      place.close()
    }
  },
}

/** What a run calls. */
function answerLater(_: unknown, response: { end(text: string): void }): void {
  setTimeout(() => response.end('{"output":"done"}'), 150)
}

/** Runs of some size that wait for a brain, for those who wait for them. */
async function stock(store: Store, made: Run): Promise<void> {
  const input = { text: 'x'.repeat(2_000) }
  const more = { claim: null, due_at: null, variables: null, open: null, family: 1, step: null }
  const like = { ...made, ...more, input, status: 'queued', waits_for: 'brain' } as const
  for (let from = 0; from < many; from += 250) {
    const ids = Array.from({ length: 250 }, (_, n) => heldRun(from + n))
    // With every member of a stored run.
    await store.commit(ids.map((id) => ({ in: 'runs', insert: { ...like, id } }) as const))
  }
}

async function held(folder: string, waiters: number): Promise<ChildProcess> {
  const child = fork(program, [folder, String(waiters)])
  await once(child, 'message')
  return child
}

async function ask(child: ChildProcess, reads: boolean): Promise<Found> {
  child.send({ seconds: secondsEach, reads } satisfies Look)
  const [found] = await once(child, 'message')
  // As that program answers.
  return found as Found
}

/** Writes of others, which no one waits for. */
async function whileWritten<T>(store: Store, work: () => Promise<T>): Promise<T> {
  let n = 0
  const write = (): void => {
    n += 1
    const id = `run_w${process.pid}_${performance.now()}_${n}`
    const event = { id: `${id}.1`, run_id: id, seq: 1, type: 'x', at: '', data: {} }
    const insert = { in: 'run_events', insert: event } as const
    const meta = { in: 'meta', insert: { id: `m${id}`, value: '' } } as const
    void store.commit([insert, meta])
  }
  const timer = setInterval(write, 1_000 / writesASecond)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

async function sendTo<T>(to: Started, key: string, path: string, body?: unknown): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(key && { authorization: `Bearer ${key}` }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  const response = await fetch(to.url + path, {
    method,
    headers,
    body: JSON.stringify(body) ?? null,
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  // Each caller names the answer of the operation.
  return (await response.json()) as T
}

/** How long after it happened each event of a run reaches a stream. */
async function followed(to: Started, key: string, id: string): Promise<number[]> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
  const { body } = await fetch(`${to.url}/api/runs/${id}/events`, { headers })
  const late: number[] = []
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      if (!data) continue
      // The stream sends events of the run.
      const { type, at } = JSON.parse(data) as { type: string; at: string }
      if (type !== 'run.queued') late.push(Date.now() - Date.parse(at))
    }
  }
  return late
}

/** Of runs that one process takes and another does, in milliseconds. */
interface Measured {
  /** How long each waited to be begun. */
  queue: number[]
  /** How late each event came. */
  late: number[]
  run: Run | undefined
}

async function measureRuns(folder: string, place: Server): Promise<Measured> {
  const port = (place.address() as AddressInfo).port
  const origin = `http://127.0.0.1:${port}`
  const env = { ABODE_OUTBOUND_ALLOW: origin, ...(uri !== undefined && { MONGODB_URI: uri }) }
  const front = await startProduct(folder, { ...env, ABODE_WORK: 'api' })
  const back = await startProduct(folder, { ...env, ABODE_WORK: 'api,runner' })
  try {
    const { api_key: key } = await sendTo<{ api_key: string }>(front, '', '/api/agent-claim', {})
    const task = { task_id: 't', name: 'T', runtime: 'api', api_url: origin }
    const character = { id: 'told', name: 'Told', heart: { tasks: [task] } }
    await sendTo(front, key, '/api/characters/', character)
    const found: Measured = { queue: [], late: [], run: undefined }
    await sleep(settlesMs)
    for (let n = 0; n < runs; n += 1) {
      const path = '/api/characters/told/tasks/t/run'
      const { id } = await sendTo<Run>(front, key, path, {})
      found.late.push(...(await followed(front, key, id)))
      const run = await sendTo<Run>(front, key, `/api/runs/${id}`)
      if (run.status !== 'completed') throw new Error(JSON.stringify(run.error))
      found.run = run
      found.queue.push(Date.parse(run.started_at ?? '') - Date.parse(run.created_at))
      await sleep(100 + Math.random() * 200)
    }
    return found
  } finally {
    await front.end()
    await back.end()
  }
}

async function measureWaiters(bench: Bench, folder: string, store: Store): Promise<void> {
  const p95s = new Map<number, number>()
  for (const waiters of [0, some, many]) {
    const child = await held(folder, waiters)
    await sleep(settlesMs)
    const busy = await whileWritten(store, () => ask(child, false))
    const { p95 } = await whileWritten(store, () => ask(child, true))
    child.disconnect()
    await once(child, 'exit')
    p95s.set(waiters, p95)
    if (waiters === many) bench.note('toldWaiters', busy.cpu * 100)
  }
  const [floor = Number.NaN, own = Number.NaN] = [p95s.get(0), p95s.get(some)]
  const absolute = `${own.toFixed(2)} ms over ${floor.toFixed(2)} ms`
  bench.note('toldReads', { value: own / floor, absolute })
}
