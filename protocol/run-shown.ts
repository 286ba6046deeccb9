import type { Answer } from '#src/core/answer.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Marks } from '#src/core/text/untrusted.ts'

/** The members of a run that a task of a protocol reads. */
export interface RunShown extends Marks {
  id: string
  status: string
  reason: string | null
  error: { code: string; message: string } | null
  approval_id: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
  /** Whose task it is; not in an outline. */
  char_id?: string
  task_id?: string
  /** What to call, if it waits for someone outside. */
  next?: unknown
}

/** The members of an approval that a task of a protocol reads. */
export interface ApprovalShown extends Marks {
  id: string
  kind: string
  char_id: string
  task_id: string
  prompt: string
  input: unknown
  state: string
  approvers: readonly string[]
  /** Those of them as which the caller may vote. */
  yours?: readonly string[]
  votes: readonly { by: string }[]
  require_person?: boolean
  /** The page on which a person decides it. */
  url?: string
  follow_up_run_id: string | null
  created_at: string
}

/** A run, with the approval it waits for, if any. */
export interface Standing {
  run: RunShown
  /** The run as the operation that reads it has answered. */
  answer?: Answer | undefined
  /** When the run was made that was asked for, if this one continues it. */
  begun_at?: string | undefined
  approval?: ApprovalShown | undefined
  /** The operation that decides approvals, if there is one. */
  decide?: Operation | undefined
  /** The operation by which a worker takes a run, if there is one. */
  lease?: Operation | undefined
}

/** Since when a run has its present state. @param askedAt when its approval was requested */
export function changedAt(run: RunShown, askedAt: string | null): string {
  const asked = run.status === 'waiting_approval' ? askedAt : null
  return run.finished_at ?? asked ?? run.started_at ?? run.created_at
}
