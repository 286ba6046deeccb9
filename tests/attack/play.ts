import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import type { Attack, Target } from './attack-types.ts'
import { startSlowPlace } from './fairness.ts'
import { callHonestly, type HonestTerms, type Noticed } from './honest.ts'
import { longestHold } from './loop.ts'
import { MemoryWatch } from './memory.ts'

/** How a server stood an attack. */
export interface Stood {
  name: string
  what: string
  /** How often each answer came. */
  answers: Readonly<Record<string, number>>
  noticed: Noticed
  /** The most resident memory of the server, and of what it has started, in MB. */
  peakMb: number
  /** The longest that its event loop did not turn, in milliseconds; 0 is below 10. */
  stallMs: number
  /** The process was there to the end, and answers. */
  isAlive: boolean
}

/** What an attacker's process is told. */
export interface Order {
  name: string
  target: Target
  seconds: number
}

const limits = {
  // For each attack there are accounts of its own.
  ABODE_RATE_LIMITS: 'public,agent_claim=off,agent_claim_all=1000/3600',
  ABODE_WARM_UP: 'on',
  ABODE_LOG_LEVEL: 'info',
  ABODE_METRICS: 'on',
  NODE_OPTIONS: '--max-old-space-size=768',
}

/** In such a time without a hold a server has nothing more to prepare. */
const lookMs = 700
/** How late a slow place answers. */
const answersAfterMs = 20_000

/** A server of its own, and who plays there: for each attack others, who have keys. */
export interface Place extends AsyncDisposable {
  server: ServerProcess
  players: { honest: HonestTerms; target: Target }[]
}

/** Opens a place for so many attacks, under the limits of the open internet. */
export async function openPlace(attacks = 1): Promise<Place> {
  const slow = await startSlowPlace(answersAfterMs)
  const server = await startServer({ env: { ...limits, ABODE_OUTBOUND_ALLOW: slow.origin } })
  const close = async (): Promise<void> => {
    await server.dispose()
    await slow.stop()
  }
  try {
    const players = await playersAt(server.url, slow.origin, attacks)
    await calm(server.url)
    return { server, players, [Symbol.asyncDispose]: close }
  } catch (cause) {
    await close()
    throw cause
  }
}

async function playersAt(
  url: string,
  slowOrigin: string,
  attacks: number,
): Promise<Place['players']> {
  const facts = { url, port: Number(new URL(url).port), slowOrigin }
  const players: Place['players'] = []
  for (let i = 0; i < attacks; i += 1) {
    const honest = { url, ...(await account(url)) }
    const own = await account(url)
    const others = [await account(url), await account(url)]
    players.push({ honest, target: { ...facts, ...own, others } })
  }
  return players
}

/** A machine that is slow may find a hold at each look. */
const looksAtMost = 20

/** Waits until the work of the start is done, so that it does not count for the attack. */
async function calm(url: string): Promise<void> {
  for (let looks = 0; looks < looksAtMost; looks += 1) {
    await sleep(lookMs)
    if ((await longestHold({ url })).heldMs === 0) return
  }
}

/** Attacks the place while an honest caller uses it from the same address; both have a key. */
export async function play(
  attack: Attack,
  seconds: number,
  { server, players }: Place,
): Promise<Stood> {
  const player = players.shift()
  if (!player) throw new Error('the place was opened for fewer attacks')
  const { honest, target } = player
  await longestHold(target)
  const stop = new AbortController()
  const memory = new MemoryWatch(server.child.pid ?? 0)
  const noticing = callHonestly(honest, stop.signal)
  const order: Order = { name: attack.name, target, seconds }
  // In a process of its own: the attacker must not delay the measurement.
  const attacking = fork(new URL('./attacker.ts', import.meta.url), [JSON.stringify(order)])
  const answers = await saidBy(attacking)
  stop.abort()
  const noticed = await noticing
  const isAlive = server.child.exitCode === null && (await isWell(server.url))
  const peakMb = memory.end()
  const { heldMs: stallMs } = await longestHold(target)
  return { name: attack.name, what: attack.what, answers, noticed, peakMb, stallMs, isAlive }
}

/** What the attacker counted. @throws Error where it ended without a word */
async function saidBy(attacker: ChildProcess): Promise<Record<string, number>> {
  const over = new AbortController()
  try {
    const ended = once(attacker, 'exit', over).then(([code]) => {
      throw new Error(`the attacker ended with ${code}`)
    })
    const [answers] = (await Promise.race([once(attacker, 'message', over), ended])) as [
      Record<string, number>,
    ]
    return answers
  } finally {
    over.abort()
  }
}

async function isWell(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) })
  return answer.status === 200
}

/** A new account with an agent, a template, a public webhook, and a run that no worker takes. */
async function account(url: string): Promise<{ key: string; charId: string; runId: string }> {
  const post = async (
    path: string,
    body: object,
    key?: string,
  ): Promise<Record<string, string>> => {
    const headers = {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    }
    const response = await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    // Answers of the service itself.
    return (await response.json()) as Record<string, string>
  }
  const { api_key: key = '' } = await post('/api/agent-claim', {})
  const { id: charId = '' } = await post('/api/characters', { name: 'Target' }, key)
  const trigger = { type: 'webhook', config: { path: 'open' } }
  await post(
    `/api/characters/${charId}/tasks`,
    { task_id: 'open', name: 'Open', target_type: 'external', triggers: [trigger] },
    key,
  )
  await post(
    `/api/characters/${charId}/tasks`,
    { task_id: 'calm', name: 'Calm', runtime: 'template', prompt: 'x' },
    key,
  )
  const { id: runId = '' } = await post(`/api/characters/${charId}/tasks/open/run`, {}, key)
  return { key, charId, runId }
}
