import * as z from 'zod'
import { differing } from './revisions/differences.ts'
import { matched, taskKeyOf } from './revisions/match.ts'
import { withAppPause, withState } from './revisions/task-state.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { keptAgent, topMember, type SettingsSealer } from '#src/agents/sealed/keep.ts'
import type { Edge } from '#src/agents/friends/edge.ts'
import { memberOfSecret, type TaskSecrets } from '#src/agents/tasks/secrets.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { App, AppAgent } from '#src/agents/app/app.ts'
import type { Author } from '#src/agents/tasks/policy/owner-only.ts'
import { agentsOf, appFrom } from './app.ts'
import { authoredAgent, authoredTask, takenOver } from './author.ts'
import type { AgentSpec, Manifest } from './manifest.ts'
import { edgeSteps, settled, type Planned } from './planned.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'

export const PlanItem = z
  .object({
    kind: z.enum(['app', 'agent', 'task', 'connection']),
    id: z.string(),
    members: z.array(z.string()).optional().describe('Which members change'),
  })
  .meta({ id: 'PlanItem' })
/** What an apply would do to one thing: an app, an agent, a task or one direction of a connection. */
export type PlanItem = z.infer<typeof PlanItem>

const items = z.array(PlanItem)
export const Plan = z
  .object({
    create: items,
    update: items,
    unchanged: items,
    remove: items.describe('With prune: what the manifest no longer names'),
    orphaned: items.describe('Without prune: the same, left as it is'),
  })
  .meta({ id: 'Plan' })
/** What a manifest would change, thing by thing. */
export type Plan = z.infer<typeof Plan>

/** The current state of an app to which a manifest is applied. */
export interface Standing {
  app: App
  characters: readonly StoredCharacter[]
  /** Tasks of its agents. */
  tasks: readonly StoredTask[]
  /** Friendships from its agents. */
  edges: readonly Edge[]
  /** The secrets of the triggers and tools of one of its tasks. */
  secretsOf: (task: StoredTask) => Readonly<TaskSecrets>
  /** The secrets of the settings of one of its agents. */
  settingsOf: SettingsSealer['open']
  /** The manifest that was applied last; undefined if it would no longer be accepted. */
  last: Manifest | undefined
  /** The ids of its agents that were not changed since, and whose tasks were not. */
  still: ReadonlySet<string>
}

/** What an app has that the manifest does not name. */
export interface Left {
  characters: StoredCharacter[]
  tasks: StoredTask[]
  edges: Edge[]
}

/** Everything that a manifest makes of an app, as values. */
export interface Provision {
  app: App
  characters: StoredCharacter[]
  tasks: StoredTask[]
  edges: Edge[]
  planned: {
    characters: Planned<StoredCharacter>[]
    tasks: Planned<StoredTask>[]
    edges: Planned<Edge>[]
  }
  left: Left
  plan: Plan
}

export interface ProvisionPlace {
  ownerId: string
  /** RFC 3339. */
  now: string
  /** SHA-256 of the masked manifest. */
  hash: string
  /** The id of a new task that has none, given its name. */
  makeTaskId: (name: string) => string
  /** Seals a task's secrets for the record with this key. */
  seal: (secrets: TaskSecrets, taskKey: string) => string
  /** Seals the secrets of an agent's settings. */
  sealSettings: SettingsSealer['seal']
  /** Whether to remove what the manifest does not name. */
  prune?: boolean
  /** Who brings the manifest; its owner by default. */
  author?: Author
}

/**
 * Everything that applying a checked manifest writes, as values: nothing is written here.
 * @param standing the current state; undefined if the app is new
 */
export function planProvision(
  manifest: Manifest,
  place: ProvisionPlace,
  standing?: Standing,
): Provision {
  return atOnce(provisionSteps(manifest, place, standing))
}

/** The same in steps: a manifest has up to 1,000 tasks and as many connections as fit into 5 MB. */
export function* provisionSteps(
  manifest: Manifest,
  place: ProvisionPlace,
  standing?: Standing,
): Steps<Provision> {
  const agents = agentsOf(manifest, standing?.app.agents)
  const context: Planning = {
    manifest,
    place,
    standing,
    agents,
    characters: new Map(standing?.characters.map((one) => [one.id, one])),
    tasks: Map.groupBy(standing?.tasks ?? [], ({ char_id }) => char_id),
    last: new Map(standing?.last?.agents.map((one) => [one.local_id, one])),
  }
  const characters: Planned<StoredCharacter>[] = []
  const tasks: Planned<StoredTask>[] = []
  for (const [i, spec] of manifest.agents.entries()) {
    characters.push(plannedCharacter(context, spec, i))
    tasks.push(...plannedTasks(context, spec, i))
    yield
  }
  const edges = yield* edgeSteps(context)
  yield
  const left = leftOf(context, { characters, tasks, edges })
  yield
  const plan = planOf(context, { characters, tasks, edges }, left)
  const next = <T>(all: readonly Planned<T>[]): T[] => all.map((one) => one.next)
  return {
    app: appOf(context, left, isChange(plan)),
    characters: next(characters),
    tasks: next(tasks),
    edges: next(edges),
    planned: { characters, tasks, edges },
    left,
    plan,
  }
}

/** Whether a plan has anything to do. */
export function isChange({ create, update, remove }: Plan): boolean {
  return create.length + update.length + remove.length > 0
}

interface Planning {
  manifest: Manifest
  place: ProvisionPlace
  standing: Standing | undefined
  agents: AppAgent[]
  /** The existing agents by id. */
  characters: ReadonlyMap<string, StoredCharacter>
  tasks: ReadonlyMap<string, readonly StoredTask[]>
  last: ReadonlyMap<string, AgentSpec>
}

function plannedCharacter(
  { place, standing, agents, manifest, characters }: Planning,
  spec: AgentSpec,
  position: number,
): Planned<StoredCharacter> {
  const { ownerId, now, sealSettings, author } = place
  const id = agents[position]?.id ?? spec.local_id
  const previous = characters.get(id)
  const where = {
    id,
    ownerId,
    appId: manifest.app_id,
    localId: spec.local_id,
    revision: (previous?.revision ?? 0) + 1,
    now,
    createdAt: previous?.created_at ?? now,
  }
  const sealer = { seal: sealSettings, open: standing?.settingsOf ?? (() => ({})) }
  const was = { previous, at: `/agents/${position}` }
  const { character: next, moved } = keptAgent(spec, where, sealer, was)
  const isSetAsBefore = next.friends_private === (previous?.friends_private ?? undefined)
  const others = isSetAsBefore ? [] : ['visibility']
  const whole = authoredAgent(next, previous, author)
  return settled(whole, previous, [...moved.map(topMember), ...others])
}

function plannedTasks(context: Planning, spec: AgentSpec, position: number): Planned<StoredTask>[] {
  const { place, standing, agents, manifest } = context
  const charId = agents[position]?.id ?? spec.local_id
  const inputs = spec.heart?.tasks ?? []
  const secretsOf = standing?.secretsOf ?? (() => ({}))
  const found = matched(inputs, context.tasks.get(charId) ?? [])
  const last = context.last.get(spec.local_id)
  const lastTasks = Map.groupBy(last?.heart?.tasks ?? [], taskKeyOf)
  return inputs.map((input, i) => {
    const previous = found[i]
    const before = lastTasks.get(taskKeyOf(input))?.[0]
    const kept = previous && { task: previous, secrets: secretsOf(previous) }
    const { task, secrets } = taskFrom(withState(input, previous, before), {
      charId,
      ownerId: place.ownerId,
      appId: manifest.app_id,
      taskId: previous?.task_id ?? input.task_id ?? place.makeTaskId(input.name),
      now: place.now,
      previous: kept,
      pointer: `/agents/${position}/heart/tasks/${i}`,
      heartbeat: spec.heart?.heartbeat_interval,
    })
    const isSecret = Object.keys(secrets).length > 0
    const sealed = isSecret ? { ...task, trigger_secrets: place.seal(secrets, task.id) } : task
    const stopped = withAppPause(sealed, { input, previous, app: standing?.app })
    const next = authoredTask(stopped, previous, place.author, secretsOf)
    const others = kept ? differing(kept.secrets, secrets, none).map(memberOfSecret) : []
    const taken = takenOver(previous, place.author)
    const released = previous?.app_paused && !stopped.app_paused ? ['enabled'] : []
    return settled(next, previous, [...others, ...taken, ...released])
  })
}

const none: ReadonlySet<string> = new Set()

function leftOf({ manifest, standing }: Planning, planned: Provision['planned']): Left {
  const ids = (all: readonly Planned<{ id: string }>[]): Set<string> =>
    new Set(all.map(({ next }) => next.id))
  const [agents, tasks, edges] = [ids(planned.characters), ids(planned.tasks), ids(planned.edges)]
  const { characters: c = [], tasks: t = [], edges: e = [] } = standing ?? {}
  // In an order that does not depend on the store's.
  const sorted = <T extends { id: string }>(all: readonly T[]): T[] =>
    all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    characters: sorted(c.filter(({ id }) => !agents.has(id))),
    // The tasks of an agent that is left are removed, or stay, with it.
    tasks: sorted(t.filter(({ id, char_id }) => agents.has(char_id) && !tasks.has(id))),
    edges: sorted(e.filter(({ id, app_id }) => app_id === manifest.app_id && !edges.has(id))),
  }
}

function planOf(
  { place, standing, manifest }: Planning,
  planned: Provision['planned'],
  left: Left,
): Plan {
  const plan: Plan = { create: [], update: [], unchanged: [], remove: [], orphaned: [] }
  const list = (kind: PlanItem['kind'], all: readonly Planned<{ id: string }>[]): void => {
    for (const { next, previous, members } of all) {
      const item = { kind, id: next.id }
      if (!previous) plan.create.push(item)
      else if (members.length === 0) plan.unchanged.push(item)
      else plan.update.push({ ...item, members: [...members] })
    }
  }
  list('agent', planned.characters)
  list('task', planned.tasks)
  list('connection', planned.edges)
  const gone = place.prune ? plan.remove : plan.orphaned
  for (const { id } of left.characters) gone.push({ kind: 'agent', id })
  for (const { id } of left.tasks) gone.push({ kind: 'task', id })
  for (const { id } of left.edges) gone.push({ kind: 'connection', id })
  const app: PlanItem = { kind: 'app', id: manifest.app_id }
  if (!standing) plan.create.unshift(app)
  else {
    const members = changesOfApp(manifest, standing)
    // Its revision counts every change, even one in how the manifest is written.
    const isOther = isChange(plan) || place.hash !== standing.app.manifest_hash
    if (isOther || members.length > 0) plan.update.unshift({ ...app, members })
    else plan.unchanged.unshift(app)
  }
  return plan
}

/** Applying a manifest with a webhook enables the webhook if it was disabled. */
function changesOfApp(manifest: Manifest, { app, last }: Standing): string[] {
  const members = last ? differing(last, manifest, none) : []
  const isEnabled = manifest.webhook !== null && app.webhook?.state === 'disabled'
  return isEnabled && !members.includes('webhook') ? [...members, 'webhook'] : members
}

function appOf({ manifest, place, standing }: Planning, left: Left, isChanged: boolean): App {
  const previous = standing?.app
  if (previous && !isChanged) return previous
  const orphaned = place.prune ? [] : left.characters
  return appFrom(manifest, {
    ownerId: place.ownerId,
    now: place.now,
    hash: place.hash,
    revision: (previous?.revision ?? 0) + 1,
    createdAt: previous?.created_at ?? place.now,
    known: previous?.agents ?? [],
    pause: previous?.pause,
    orphaned: orphaned.map(({ id, local_id }) => ({ local_id: local_id ?? id, id })),
  })
}
