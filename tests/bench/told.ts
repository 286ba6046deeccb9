import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '#adapters/store/open.ts'
import type { Store } from '#src/ports/store.ts'
import { awaitEnd } from '#src/runs/await-end.ts'
import type { Run } from '#src/runs/run.ts'
import { startWork } from '#src/work/work.ts'
import { openWorld } from '#tests/support/world.ts'
import { percentile } from './measure.ts'
import { startProduct, type Started } from './servers.ts'

/**
 * Measures what it costs, and how long it takes, that one process learns of what another has written: run by
 * `node tests/bench/told.ts`, on MongoDB where MONGODB_URI names a database that may be filled.
 */
const uri = process.env.MONGODB_URI
const runs = 40
const writesASecond = 50
const secondsEach = 12
const held5000 = 5_000

interface Figures {
  cpu: number
  p50: number
  p95: number
  most: number
}

/** In the process that is measured: holds so many callers who wait, and reads meanwhile. */
async function hold(folder: string, waiters: number): Promise<void> {
  const store = await openStore({ folder, uri })
  const { ports } = openWorld(store)
  const work = startWork(ports, [], 1)
  const leaving = new AbortController()
  for (let n = 0; n < waiters; n += 1) {
    void awaitEnd(ports, `run_held${n}`, 3_600, leaving.signal).settled()
  }
  process.send?.('ready')
  process.on('message', (message: { seconds: number; reads: boolean }) => {
    void figures(store, message.seconds, message.reads).then((found) => process.send?.(found))
  })
  await once(process, 'disconnect')
  leaving.abort()
  await work.stop()
  await store.close()
}

async function figures(store: Store, seconds: number, reads: boolean): Promise<Figures> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const times: number[] = []
  while (performance.now() - begun < seconds * 1_000) {
    const start = performance.now()
    if (reads) await store.runs.get('run_held0')
    times.push(performance.now() - start)
    await sleep(reads ? 5 : 200)
  }
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1_000 / (performance.now() - begun)
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
  return { cpu, p50, p95, most: Math.max(...times) }
}

/** Runs of some size that wait for a brain, for those who wait for them. */
async function stock(store: Store, made: Run): Promise<void> {
  const input = { text: 'x'.repeat(2_000) }
  const more = { claim: null, due_at: null, variables: null, open: null, family: 1, step: null }
  const like = { ...made, ...more, input, status: 'queued', waits_for: 'brain' } as const
  for (let from = 0; from < held5000; from += 250) {
    const ids = Array.from({ length: 250 }, (_, n) => `run_held${from + n}`)
    // With every member of a stored run.
    await store.commit(ids.map((id) => ({ in: 'runs', insert: { ...like, id } }) as const))
  }
}

async function held(folder: string, waiters: number): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), ['hold', folder, String(waiters)])
  await once(child, 'message')
  return child
}

async function ask(child: ChildProcess, reads: boolean): Promise<Figures> {
  child.send({ seconds: secondsEach, reads })
  const [found] = await once(child, 'message')
  // The child sends what `figures` gives.
  return found as Figures
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

interface Measured {
  queue: number[]
  stream: number[]
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
    const found: Measured = { queue: [], stream: [], run: undefined }
    // At first a newcomer is told everything.
    await sleep(uri === undefined ? 500 : 9_000)
    for (let n = 0; n < runs; n += 1) {
      const path = '/api/characters/told/tasks/t/run'
      const { id } = await sendTo<Run>(front, key, path, {})
      found.stream.push(...(await followed(front, key, id)))
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

async function measureWaiters(folder: string, store: Store): Promise<void> {
  for (const waiters of [0, 1_500, held5000]) {
    const child = await held(folder, waiters)
    await sleep(uri === undefined ? 1_000 : 9_000)
    const idle = await ask(child, false)
    const busy = await whileWritten(store, () => ask(child, false))
    const read = await whileWritten(store, () => ask(child, true))
    child.disconnect()
    await once(child, 'exit')
    const share = (cpu: number): string => `${(cpu * 100).toFixed(1)} %`
    const [p50, p95, most] = [read.p50, read.p95, read.most].map((ms) => ms.toFixed(1))
    say(
      `${waiters} waiters: CPU ${share(idle.cpu)} idle, ${share(busy.cpu)} with ${writesASecond} writes a ` +
        `second elsewhere; reads then p50 ${p50}, p95 ${p95}, most ${most} ms`,
    )
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-told-'))
  const answer = (_: unknown, response: { end(text: string): void }): void => {
    setTimeout(() => response.end('{"output":"done"}'), 150)
  }
  const place = createServer(answer).listen(0, '127.0.0.1')
  await once(place, 'listening')
  say(`load ${loadavg()[0]?.toFixed(1)}`)
  try {
    const { queue, stream, run } = await measureRuns(folder, place)
    const [half, most] = [percentile(queue, 0.5), percentile(queue, 0.95)]
    say(`queue delay across processes: p50 ${half} ms, p95 ${most} ms (${queue.length} runs)`)
    const late = [percentile(stream, 0.5), percentile(stream, 0.95)]
    say(
      `events to a stream elsewhere: p50 ${late[0]} ms, p95 ${late[1]} ms (${stream.length} events)`,
    )
    const store = await openStore({ folder, uri })
    // As a process of the service does, which is told as well.
    store.watch(() => undefined)
    if (run) await stock(store, run)
    await measureWaiters(folder, store)
    await store.close()
  } finally {
    place.close()
    await rm(folder, { recursive: true, force: true })
  }
  say(`load ${loadavg()[0]?.toFixed(1)}`)
}

const [, , mode, folder = '', waiters = '0'] = process.argv
await (mode === 'hold' ? hold(folder, Number(waiters)) : main())
