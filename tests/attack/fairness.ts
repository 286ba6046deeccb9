import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { slowTasks } from './payloads.ts'

/** A server that runs, with the keys of two accounts on it. */
export interface FairnessTarget {
  /** Without a final slash. */
  url: string
  /** Of the account that queues all it may. */
  attacker: string
  /** Of the account whose runs are measured. */
  honest: string
  /** Where the attacker's runs call, and wait long: the server is started with leave to call it. */
  slowOrigin: string
}

/** How long runs of the honest account took, in milliseconds. */
export interface FairnessFigures {
  /** How many runs of the attacker waited or went on when it was begun to measure. */
  queued: number
  /** From the call that queued a run to its end, by the run's own times. */
  p50: number
  p99: number
  longest: number
  /** A template run that ends in its answer, as its caller sees it. */
  answered: { p50: number; p99: number }
}

/** Tasks that listen for one call, so that one request queues so many runs. */
const tasksACall = 50
const pauseMs = 10
const turnedAwayMs = 500
const turnedAwayAtMost = 200

/** A place that answers each call after so long. */
export async function startSlowPlace(
  afterMs: number,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const server = createServer((_, answer) => {
    setTimeout(() => answer.end('late'), afterMs).unref()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Queues that many slow runs for the attacker, or fewer where the server does not take them all. */
export async function queueSlowRuns(target: FairnessTarget, count: number): Promise<number> {
  const id = `flood-${randomUUID().slice(0, 8)}`
  const tasks = slowTasks(target.slowOrigin, tasksACall)
  const as = caller(target.url, target.attacker)
  await as('POST', '/api/characters', { id, name: 'Flood', heart: { tasks } })
  let queued = 0
  let turnedAway = 0
  const one = async (): Promise<void> => {
    while (queued < count) {
      queued += tasksACall
      // A call that is turned away for now is repeated.
      await as('POST', `/api/characters/${id}/actions/flood`, { input: null }).catch(
        async (cause: unknown) => {
          queued -= tasksACall
          turnedAway += 1
          if (turnedAway > turnedAwayAtMost) throw cause
          await sleep(turnedAwayMs)
        },
      )
    }
  }
  await Promise.all(Array.from({ length: 4 }, one))
  return queued
}

/** Runs a template of the honest account again and again, by an action and by a call that waits. */
export async function measureRuns(target: FairnessTarget, count: number) {
  const id = `calm-${randomUUID().slice(0, 8)}`
  const trigger = { type: 'action', enabled: true, config: { name: 'go' } }
  const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'x', triggers: [trigger] }
  const as = caller(target.url, target.honest)
  await as('POST', '/api/characters', { id, name: 'Calm', heart: { tasks: [task] } })
  const took: number[] = []
  const answered: number[] = []
  for (let i = 0; i < count; i += 1) {
    const { runs } = await as<{ runs: string[] }>('POST', `/api/characters/${id}/actions/go`, {})
    took.push(await durationOf(as, runs[0] ?? ''))
    const begun = performance.now()
    await as('POST', `/api/characters/${id}/tasks/t/run`, {})
    answered.push(performance.now() - begun)
    await sleep(pauseMs)
  }
  return { took, answered }
}

/** Fills the queue of one account and measures the runs of the other meanwhile. */
export async function fairness(
  target: FairnessTarget,
  { queued, runs }: { queued: number; runs: number },
): Promise<FairnessFigures> {
  const filled = await queueSlowRuns(target, queued)
  return figuresOf(filled, await measureRuns(target, runs))
}

/** What was measured, in figures. */
export function figuresOf(
  queued: number,
  { took, answered }: Awaited<ReturnType<typeof measureRuns>>,
): FairnessFigures {
  return {
    queued,
    p50: share(took, 0.5),
    p99: share(took, 0.99),
    longest: Math.max(...took),
    answered: { p50: share(answered, 0.5), p99: share(answered, 0.99) },
  }
}

interface Times {
  created_at: string
  finished_at: string | null
}

async function durationOf(as: Caller, run: string): Promise<number> {
  for (;;) {
    const { created_at, finished_at } = await as<Times>('GET', `/api/runs/${run}`)
    if (finished_at !== null) return Date.parse(finished_at) - Date.parse(created_at)
    await sleep(pauseMs)
  }
}

function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

type Caller = <T = unknown>(method: string, path: string, body?: object) => Promise<T>

function caller(url: string, key: string): Caller {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    // The caller knows the type of the answer.
    return JSON.parse(text) as T
  }
}
