import { taskAt } from '#src/agents/tasks/of-run.ts'
import { eventApiVersion, withinSize } from '#src/events/outbox/event-body.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import type { Hook } from '#src/agents/brain.ts'
import { isCharacterId } from '#src/agents/name.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { fitsInMemory } from '#src/agents/memory/entry.ts'
import { memoryPut } from '#src/agents/memory/put.ts'
import type { Write } from '#src/ports/store.ts'
import { marked } from '#src/core/text/untrusted.ts'
import type { Chain } from './chain.ts'
import type { PlatformEvent } from '#src/events/event.ts'
import { hooksFor } from './match.ts'

/** What the hooks of an agent do with an event. */
export interface Hooked {
  writes: Write[]
  /** Hooks that could do nothing, and why. */
  idle: { hook: Hook; reason: string }[]
}

type Needed = Pick<Ports, 'store' | 'sealer'>

/** What the hooks of the agent that an event happened to do, for the commit that passes it on. */
export async function hooked(
  ports: Needed,
  event: PlatformEvent,
  chain: Chain,
  now: Date,
): Promise<Hooked> {
  const all: Hooked = { writes: [], idle: [] }
  if (event.char_id === null) return all
  const agent = await ports.store.characters.get(event.char_id)
  // The id may belong to another account by now.
  if (agent?.owner_id !== event.owner_id) return all
  const seen = new Set<string>()
  for (const hook of hooksFor(agent.brain?.hooks ?? [], event)) {
    // The same action twice would be the same write twice, of which the second finds another state.
    if (seen.has(hook.action)) continue
    seen.add(hook.action)
    const reason = await act({ ports, event, chain, now, charId: agent.id }, hook, all)
    if (reason !== undefined) all.idle.push({ hook, reason })
  }
  return all
}

interface Acting {
  ports: Needed
  event: PlatformEvent
  chain: Chain
  now: Date
  charId: string
}

/** Adds what the action writes; gives the reason where it can do nothing. */
async function act(acting: Acting, hook: Hook, into: Hooked): Promise<string | undefined> {
  const [, kind = '', target = ''] = /^([a-z]+):(.+)$/s.exec(hook.action) ?? []
  if (kind === 'task') return startTask(acting, hook, target, into)
  if (kind === 'webhook') return owe(acting, hook, target, into)
  if (kind === 'memory') return remember(acting, target, into)
  return 'the action is not known'
}

async function startTask(
  { ports, event, chain, now, charId }: Acting,
  hook: Hook,
  taskId: string,
  into: Hooked,
): Promise<string | undefined> {
  const task = await taskAt(ports.store, charId, taskId)
  if (!task) return `the agent has no task "${taskId}"`
  const caller = { event_id: event.id, event: hook.event, ...runOfCause(event) }
  const trigger = { type: 'hook', at: timestamp(now), caller }
  const insert = await chain.run(task, 'hook', { trigger, input: event.data }, now)
  into.writes.push({ in: 'runs', insert })
  return undefined
}

function owe(
  { ports, event, now, charId }: Acting,
  hook: Hook,
  url: string,
  into: Hooked,
): string | undefined {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    return 'the address of the webhook is not an https one'
  }
  const { id, at, data, owner_id: ownerId, sender, source } = event
  const type = hook.event
  const body = withinSize({
    id,
    type,
    timestamp: at,
    api_version: eventApiVersion,
    data: { char_id: charId, ...data, ...marked(source) },
  })
  const from = { sender, causeRun: event.cause?.id }
  const about = { ownerId, appId: null, charId, eventId: id, type, ...from }
  const owed = { ...about, url, body, now }
  into.writes.push({ in: 'deliveries', insert: newDelivery(owed, ports.sealer) })
  return undefined
}

async function remember(
  { ports, event, now, charId }: Acting,
  target: string,
  into: Hooked,
): Promise<string | undefined> {
  const slash = target.indexOf('/')
  const [namespace, key] = [target.slice(0, Math.max(0, slash)), target.slice(slash + 1)]
  if (!isCharacterId(namespace) || !isCharacterId(key)) {
    return 'a place in memory is <namespace>/<key>'
  }
  if (!fitsInMemory(event.data)) return 'the data of the event is larger than a memory may be'
  const { owner_id: ownerId, source } = event
  const place = { charId, ownerId, namespace, key, source }
  const put = await memoryPut(ports.store, place, event.data, now)
  if (!put) return 'the agent no longer exists'
  into.writes.push(...put.writes)
  return undefined
}

/** The run that an event tells of or comes from, for those whom the runs that it starts ask why. */
export function runOfCause({ cause }: Pick<PlatformEvent, 'cause'>): { run_id?: string } {
  return cause ? { run_id: cause.id } : {}
}
