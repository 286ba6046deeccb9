import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Write } from '#src/ports/store.ts'
import { runEvent } from '../events.ts'
import type { Outcome } from '../ended.ts'
import type { Run } from '../run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { cutTo, workOf, type Work } from './result.ts'

type Artifact = Run['artifacts'][number]

/** How many artifacts a run may have. */
export const artifactsAtMost = 64
/** Bytes of the content of one. */
export const artifactBytesAtMost = 2 ** 20
/** Bytes of all artifacts of a run together: its record is one document. */
export const artifactBytesOfRun = 2 ** 22

const nameCharacters = 200

/** An outcome as stored, and the events about it. */
export interface Kept {
  outcome: Outcome
  writes: Write[]
}

/**
 * Adds the output as an artifact if the task has an artifact store of type `local`, next to the artifacts
 * of the run itself. Those beyond the bounds are left out, each with an event of the run.
 */
export function keptArtifacts(
  outcome: Outcome,
  task: Pick<StoredTask, 'artifact_stores' | 'output_path'> | undefined,
  runId: string,
  now: Date,
): Kept {
  if (outcome.status !== 'completed') return { outcome, writes: [] }
  const own = outcome.artifacts ?? []
  const isLocal = task?.artifact_stores.some(({ type, enabled }) => enabled && type === 'local')
  const work = isLocal ? workOf(outcome) : undefined
  const made = work && !work.isEmpty ? artifactOf(work, task?.output_path) : undefined
  // An artifact of the run with the same name takes precedence.
  const isNew = made && !own.some(({ name }) => name === made.name)
  const offered = isNew ? [made, ...own] : own
  if (offered.length === 0) return { outcome, writes: [] }
  const { artifacts, dropped } = fitting(offered)
  const writes = dropped.map((data): Write => ({
    in: 'run_events',
    insert: runEvent(runId, 'artifact.dropped', now, data),
  }))
  return { outcome: { ...outcome, artifacts }, writes }
}

function artifactOf({ output, text }: Work, path: string | null | undefined): Artifact {
  const isText = typeof output === 'string'
  return {
    name: cutTo(nameCharacters, path?.trim() ?? '') || (isText ? 'output.txt' : 'output.json'),
    media_type: isText ? 'text/plain' : 'application/json',
    content: text,
  }
}

function fitting(offered: readonly Artifact[]) {
  const artifacts: Artifact[] = []
  const dropped: { name: string; reason: string }[] = []
  let bytes = 0
  for (const artifact of offered) {
    const size = sizeOf(artifact)
    const reason = objectionTo(artifact, artifacts.length, bytes + size)
    if (reason) {
      dropped.push({ name: artifact.name, reason })
    } else {
      bytes += size
      artifacts.push(artifact)
    }
  }
  return { artifacts, dropped }
}

function objectionTo(artifact: Artifact, count: number, bytes: number): string | undefined {
  if (count >= artifactsAtMost) return `a run has at most ${artifactsAtMost} artifacts`
  if (!isSmall(artifact)) return `an artifact has at most ${artifactBytesAtMost} bytes`
  return bytes > artifactBytesOfRun
    ? `the artifacts of a run have at most ${artifactBytesOfRun} bytes`
    : undefined
}

/** Whether the content of an artifact is not too large: 1 MB. */
export function isSmall({ content }: Pick<Artifact, 'content'>): boolean {
  if (!content) return true
  // A UTF-16 unit takes at most three bytes in UTF-8.
  return (
    content.length * 3 <= artifactBytesAtMost || Buffer.byteLength(content) <= artifactBytesAtMost
  )
}
