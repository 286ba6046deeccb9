import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import { runEvent } from '../events.ts'
import type { StoredRun } from '../run.ts'
import type { TaskOutputSharing } from '#src/agents/tasks/output-sharing.ts'
import { remembered } from './remember.ts'
import type { Worked } from './result.ts'

/** The memory namespace for results that others hand over to an agent. */
export const handoffNamespace = 'handoff'

/**
 * The input of a receiving run: the text; or, if an artifact is to be handed over, always an object
 * `{text, artifact}`, so that its prompt can rely on it. An artifact that the run does not have is null
 * there, and noted as an event of the run.
 */
export function handedInput(
  { run, now }: Worked,
  { handoff_artifact: name }: TaskOutputSharing,
  text: string,
): { input: unknown; notes: Write[] } {
  if (!name) return { input: text, notes: [] }
  const artifact = artifactNamed(run, name)
  if (artifact) return { input: { text, artifact }, notes: [] }
  const insert = runEvent(run.id, 'handoff.artifact_missing', now, { name })
  return { input: { text, artifact: null }, notes: [{ in: 'run_events', insert }] }
}

function artifactNamed({ artifacts }: StoredRun, name: string) {
  const found = artifacts.find((artifact) => artifact.name === name)
  if (!found) return undefined
  const { media_type = null, content = null, url } = found
  return { name, media_type, content, ...(url && { url }) }
}

/** The receiver of a result. */
export interface Receiver {
  charId: string
  ownerId: string
  /** The memory namespace of the receiving task. */
  namespace: string | null
}

/**
 * Puts the output into the receiver's memory under the key that the task names: in the namespace of the
 * receiving task, or in `handoff` if it has none. For another account's agent it is always `handoff`,
 * because that agent's tasks rely on the content of their namespaces.
 */
export async function handedMemory(
  ports: Pick<Ports, 'store'>,
  worked: Worked,
  { handoff_memory_key: key }: TaskOutputSharing,
  { charId, ownerId, namespace: own }: Receiver,
  output: unknown,
): Promise<Write[]> {
  if (!key) return []
  const isOwn = ownerId === worked.run.owner_id
  const namespace = (isOwn ? own : null) ?? handoffNamespace
  return remembered(ports, worked, { charId, ownerId, namespace, key }, output)
}

/** Whether a task may reach this connection, by any of its names: a task that selects none may reach all. */
export function isSelected(selected: readonly string[], names: readonly string[]): boolean {
  return selected.length === 0 || names.some((name) => selected.includes(name))
}
