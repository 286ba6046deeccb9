import type { App, AppAgent, Connection } from '#src/agents/app/app.ts'
import { edgeId, type Edge } from '#src/agents/friends/edge.ts'

/**
 * Both directions of every connection, accepted. The permissions of a connection are what `from` may do at
 * `to`; the reverse direction has the same, unless the manifest defines it separately.
 */
export function edgesOf(
  connections: readonly Connection[],
  agents: readonly AppAgent[],
  app: Pick<App, 'id' | 'owner_id'>,
  now: string,
): Edge[] {
  const idOf = new Map(agents.map(({ local_id, id }) => [local_id, id]))
  const edges = new Map<string, Edge>()
  const add = (from: string, to: string, connection: Connection): void => {
    const [charId, friendId] = [idOf.get(from) ?? from, idOf.get(to) ?? to]
    const id = edgeId(charId, friendId)
    if (!edges.has(id)) edges.set(id, edgeFrom(charId, friendId, connection, app, now))
  }
  for (const connection of connections) add(connection.from, connection.to, connection)
  for (const connection of connections) add(connection.to, connection.from, connection)
  return [...edges.values()]
}

function edgeFrom(
  charId: string,
  friendId: string,
  connection: Connection,
  app: Pick<App, 'id' | 'owner_id'>,
  now: string,
): Edge {
  const { relationship_type, permissions, shared_abilities, note } = connection
  return {
    char_id: charId,
    friend_id: friendId,
    relationship_type,
    permissions,
    shared_abilities,
    note,
    status: 'accepted',
    created_at: now,
    id: edgeId(charId, friendId),
    owner_id: app.owner_id,
    app_id: app.id,
  }
}
