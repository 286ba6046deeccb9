import type { Reach } from '#src/agents/access.ts'
import { mayActFor } from '#src/agents/access.ts'
import { personsWith, rolesWith } from '#src/core/authorization/account-roles.ts'
import { edgeId } from '#src/agents/friends/edge.ts'
import { taskKey } from '../task.ts'
import { permissionFor, type Standing } from './note.ts'
import type { Role } from './references.ts'

/** What the tasks of one agent name, by ids. */
export interface Asked {
  charId: string
  agents: readonly { id: string; role: Role; taskId?: string | undefined }[]
  /** Whether they select secrets. */
  secrets: boolean
  /** Whether one of them asks several persons. */
  persons: boolean
}

/** What is known of agents, tasks and secrets that tasks name. */
export interface Known {
  standing(from: string, id: string, role: Role): Standing
  /** Undefined where it is not known, or not for the caller to know. */
  hasTask(charId: string, taskId: string): boolean | undefined
  hasSecret(charId: string, name: string): boolean
  /** Whether an agent is of the caller's account. */
  isOwn(id: string): boolean
  /** How many persons may decide for the caller's account, counted where several are asked; 0 if no one holds it. */
  persons: number
  /** The caller's own agents, if an agent is missing. */
  own: readonly string[]
}

/** So many agents, tasks and friendships are looked up for one answer; nothing is said of further ones. */
const lookedUpAtMost = 1000

/** Looks up what tasks name. Nothing is told of other accounts but which agents there are. */
export async function lookedUp(reach: Reach, asked: readonly Asked[]): Promise<Known> {
  const named = asked.flatMap(({ charId, agents }) =>
    agents.map((one) => ({ from: charId, ...one })),
  )
  const ids = first(named.map(({ id }) => id))
  const [owners, secrets] = await Promise.all([ownersOf(reach, ids), secretsOf(reach, asked)])
  const isOwn = (id: string): boolean => owners.get(id) === reach.caller.accountId
  const strangers = named.filter(({ id }) => owners.has(id) && !isOwn(id))
  const keys = named.flatMap(({ id, taskId }) =>
    taskId !== undefined && isOwn(id) && mayActFor(reach.caller, id) ? [taskKey(id, taskId)] : [],
  )
  const [persons, open, tasks, own] = await Promise.all([
    personsOf(reach, asked),
    openEdges(reach, strangers),
    tasksAmong(reach, first(keys)),
    [...ids].every((id) => owners.has(id)) ? [] : ownIds(reach),
  ])
  return {
    standing(from, id, role) {
      if (!ids.has(id)) return 'reached'
      if (!owners.has(id)) return 'missing'
      if (isOwn(id) || role === 'sender') return 'reached'
      return open.has(way(from, id, role)) ? 'reached' : 'unreached'
    },
    hasTask: (charId, taskId) => tasks.get(taskKey(charId, taskId)),
    isOwn,
    persons,
    hasSecret: (charId, name) => secrets.get(charId)?.has(name) ?? false,
    own,
  }
}

async function personsOf({ store, caller }: Reach, asked: readonly Asked[]): Promise<number> {
  if (!caller.claimed || !asked.some(({ persons }) => persons)) return Number(caller.claimed)
  return (await personsWith(store, caller.accountId, rolesWith('approve'))).size
}

function first(all: readonly string[]): ReadonlySet<string> {
  return new Set([...new Set(all)].slice(0, lookedUpAtMost))
}

async function ownersOf(
  { store }: Reach,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  if (ids.size === 0) return new Map()
  const rows = await store.characters.pick(['id', 'owner_id'], { id: { $in: [...ids] } })
  return new Map(rows.map(([id, owner]) => [String(id), String(owner)]))
}

async function secretsOf(
  { store }: Reach,
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const selecting = asked.filter(({ secrets }) => secrets).map(({ charId }) => charId)
  if (selecting.length === 0) return new Map()
  const shelves = await store.secrets.find({ id: { $in: selecting } })
  return new Map(shelves.map((shelf) => [shelf.id, new Set(Object.keys(shelf.secrets))]))
}

/** The friendship that lets in: approvers act at the asking agent, all others are acted at. */
function way(from: string, id: string, role: Role): string {
  const permission = permissionFor(role)
  const edge = permission === 'approve' ? edgeId(id, from) : edgeId(from, id)
  return `${edge} ${permission}`
}

async function openEdges(
  { store }: Reach,
  named: readonly { from: string; id: string }[],
): Promise<ReadonlySet<string>> {
  if (named.length === 0) return new Set()
  const both = named.flatMap(({ from, id }) => [edgeId(from, id), edgeId(id, from)])
  const edges = await store.edges.find({ id: { $in: [...first(both)] }, status: 'accepted' })
  return new Set(edges.flatMap(({ id, permissions }) => permissions.map((one) => `${id} ${one}`)))
}

async function tasksAmong(
  { store }: Reach,
  keys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, boolean>> {
  if (keys.size === 0) return new Map()
  const rows = await store.tasks.pick(['id'], { id: { $in: [...keys] } })
  const there = new Set(rows.map(([id]) => String(id)))
  return new Map([...keys].map((key) => [key, there.has(key)]))
}

/** The agents of the account, for what was probably meant; a key that acts as one sees only that one. */
async function ownIds({ store, caller }: Reach): Promise<string[]> {
  if (caller.charId !== undefined) return [caller.charId]
  const owned = { owner_id: caller.accountId }
  const rows = await store.characters.pick(['id'], owned, { limit: lookedUpAtMost })
  return rows.map(([id]) => String(id))
}
