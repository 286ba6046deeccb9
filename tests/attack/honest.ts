import { request, Agent } from 'node:http'
import { text } from 'node:stream/consumers'

/** What an honest caller noticed, in milliseconds. */
export interface Noticed {
  health: Latency
  read: Latency
  /** A run of a template, from the call to its answer. */
  run: Latency
  /** A small write: a new entry in the memory of the agent, from the call until it is durable. */
  create: Latency
  /** Calls that were not answered with 200. */
  failed: number
}

/** How long calls of one kind took. */
export interface Latency {
  calls: number
  p50: number
  p99: number
  longest: number
}

/** Where the honest caller calls, and with what. */
export interface HonestTerms {
  url: string
  key: string
  charId: string
}

/** Between two calls, in milliseconds; a key may read 600 times a minute, and write 120 times. */
const pauses = { health: 25, read: 110, run: 1200, create: 1200 }
/** A call that takes longer counts as failed. */
const patienceMs = 30_000

/**
 * Calls /health 40 times a second, reads an agent nine times, and runs its template and puts an entry into its
 * memory five times in six seconds each, each on a kept connection, until it is told to stop. It has a key of its
 * own and the attacker's address.
 */
export async function callHonestly(terms: HonestTerms, signal: AbortSignal): Promise<Noticed> {
  const { url, key, charId } = terms
  const agent = `${url}/api/characters/${charId}`
  const authorization = `Bearer ${key}`
  const headers = { authorization }
  const running = { url: `${agent}/tasks/calm/run`, headers, method: 'POST' } as const
  const json = { ...headers, 'content-type': 'application/json' }
  const creating = (n: number): Asked => {
    const entry = `${agent}/memory/honest/entry-${n}`
    return { url: entry, headers: json, method: 'PUT', body: '{"value":"small"}' }
  }
  const [health, read, run, create] = await Promise.all([
    calling(() => ({ url: `${url}/health`, headers: {} }), pauses.health, signal),
    calling(() => ({ url: agent, headers }), pauses.read, signal),
    calling(() => running, pauses.run, signal),
    calling(creating, pauses.create, signal),
  ])
  return {
    health: latencyOf(health.took),
    read: latencyOf(read.took),
    run: latencyOf(run.took),
    create: latencyOf(create.took),
    failed: health.failed + read.failed + run.failed + create.failed,
  }
}

interface Asked {
  url: string
  headers: Record<string, string>
  method?: 'POST' | 'PUT'
  body?: string
}

/** @param asking gives each call, which are numbered from 0 */
async function calling(asking: (n: number) => Asked, pauseMs: number, signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const took: number[] = []
  let failed = 0
  while (!signal.aborted) {
    const begun = performance.now()
    const status = await statusOf(asking(took.length), agent).catch(() => 0)
    took.push(performance.now() - begun)
    if (status !== 200) failed += 1
    await pause(pauseMs)
  }
  agent.destroy()
  return { took, failed }
}

function statusOf({ url, body, ...asked }: Asked, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...asked, agent, timeout: patienceMs }, (response) => {
      text(response).then(() => resolve(response.statusCode ?? 0), reject)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject).end(body)
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** The middle, the slowest in a hundred and the slowest. */
export function latencyOf(took: readonly number[]): Latency {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { calls: sorted.length, p50: at(0.5), p99: at(0.99), longest: sorted.at(-1) ?? 0 }
}
