import type { StoredCharacter } from '#src/characters/character.ts'
import { characterFrom } from '#src/characters/storing.ts'
import { edgeId, type Edge } from '#src/friends/edge.ts'
import type { TriggerSecrets } from '#src/tasks/secrets.ts'
import { taskFrom } from '#src/tasks/storing.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import { agentsOf, appFrom, type App, type AppAgent } from './app.ts'
import type { Connection, Manifest } from './manifest.ts'

/** What provisioning would do to one thing: an app, an agent, a task or one direction of a connection. */
export interface PlanItem {
  kind: 'app' | 'agent' | 'task' | 'connection'
  id: string
}

/** What a manifest would change, thing by thing. */
export interface Plan {
  create: PlanItem[]
  update: PlanItem[]
  unchanged: PlanItem[]
  remove: PlanItem[]
}

export interface Provision {
  app: App
  characters: StoredCharacter[]
  tasks: StoredTask[]
  edges: Edge[]
  plan: Plan
}

export interface ProvisionPlace {
  ownerId: string
  /** RFC 3339. */
  now: string
  /** SHA-256 of the masked manifest. */
  hash: string
  makeTaskId: () => string
  /** Seals a task's secrets for the record with this key. */
  seal: (secrets: TriggerSecrets, taskKey: string) => string
}

/** Everything that provisioning a checked manifest writes, as values: nothing is written here. */
export function planProvision(manifest: Manifest, place: ProvisionPlace): Provision {
  const { ownerId, now } = place
  const agents = agentsOf(manifest)
  const app = appFrom(manifest, { ownerId, now, hash: place.hash, revision: 1 })
  const characters = manifest.agents.map((agent, i) => {
    const id = agents[i]?.id ?? agent.local_id
    const localId = agent.local_id
    return characterFrom(agent, { id, ownerId, appId: app.id, localId, revision: 1, now })
  })
  const tasks = manifest.agents.flatMap((agent, i) =>
    tasksOf(
      agent,
      { charId: agents[i]?.id ?? agent.local_id, pointer: `/agents/${i}` },
      app,
      place,
    ),
  )
  const edges = edgesOf(manifest.connections, agents, app)
  const plan: Plan = {
    create: [
      { kind: 'app', id: app.id },
      ...characters.map(({ id }): PlanItem => ({ kind: 'agent', id })),
      ...tasks.map(({ id }): PlanItem => ({ kind: 'task', id })),
      ...edges.map(({ id }): PlanItem => ({ kind: 'connection', id })),
    ],
    update: [],
    unchanged: [],
    remove: [],
  }
  return { app, characters, tasks, edges, plan }
}

function tasksOf(
  agent: Manifest['agents'][number],
  { charId, pointer }: { charId: string; pointer: string },
  app: App,
  { ownerId, now, makeTaskId, seal }: ProvisionPlace,
): StoredTask[] {
  return (agent.heart?.tasks ?? []).map((input, i) => {
    const { task, secrets } = taskFrom(input, {
      charId,
      ownerId,
      appId: app.id,
      taskId: input.task_id ?? makeTaskId(),
      now,
      pointer: `${pointer}/heart/tasks/${i}`,
    })
    const isSecret = Object.keys(secrets).length > 0
    return isSecret ? { ...task, trigger_secrets: seal(secrets, task.id) } : task
  })
}

/**
 * Both directions of every connection, accepted. The permissions of a connection are what `from`
 * may do at `to`; the way back has the same, unless the manifest connects it by itself.
 */
function edgesOf(
  connections: readonly Connection[],
  agents: readonly AppAgent[],
  app: App,
): Edge[] {
  const idOf = new Map(agents.map(({ local_id, id }) => [local_id, id]))
  const edges = new Map<string, Edge>()
  const add = (from: string, to: string, connection: Connection): void => {
    const [charId, friendId] = [idOf.get(from) ?? from, idOf.get(to) ?? to]
    const id = edgeId(charId, friendId)
    if (!edges.has(id)) edges.set(id, edgeFrom(charId, friendId, connection, app))
  }
  for (const connection of connections) add(connection.from, connection.to, connection)
  for (const connection of connections) add(connection.to, connection.from, connection)
  return [...edges.values()]
}

function edgeFrom(charId: string, friendId: string, connection: Connection, app: App): Edge {
  const { relationship_type, permissions, shared_abilities, note } = connection
  return {
    char_id: charId,
    friend_id: friendId,
    relationship_type,
    permissions,
    shared_abilities,
    note,
    status: 'accepted',
    created_at: app.created_at,
    id: edgeId(charId, friendId),
    owner_id: app.owner_id,
    app_id: app.id,
  }
}
