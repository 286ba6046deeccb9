import * as z from 'zod'
import { Actor } from '#src/core/credentials/actor.ts'
import type { Referring } from '#src/core/large/sizes.ts'
import type { Slim } from '#src/core/input/slim.ts'
import { ModelUsage } from '#src/core/spend/usage.ts'
import { marks } from '#src/core/text/untrusted.ts'
import { Next } from '#src/core/words/next-call.ts'

export const runStatuses = [
  'queued',
  'running',
  'waiting_approval',
  'waiting_input',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'abandoned',
  'skipped',
] as const
export type RunStatus = (typeof runStatuses)[number]

export const endedStatuses = [
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'abandoned',
  'skipped',
] as const satisfies readonly RunStatus[]

/** Statuses of a run that waits for someone outside, without a time limit. */
export const waitingStatuses = [
  'waiting_approval',
  'waiting_input',
] as const satisfies readonly RunStatus[]

const waiting: ReadonlySet<RunStatus> = new Set(waitingStatuses)

/** Whether a run waits for a decision or an answer, which may never come. */
export function isWaiting(run: { status: RunStatus }): boolean {
  return waiting.has(run.status)
}

const ended: ReadonlySet<RunStatus> = new Set(endedStatuses)

/** A run that has ended never runs again. */
export function hasEnded(run: { status: RunStatus }): boolean {
  return ended.has(run.status)
}

export const RunArtifact = z.looseObject({
  name: z.string().min(1).max(200),
  media_type: z.string().max(200).nullish(),
  content: z.string().nullish(),
  url: z.string().max(2000).nullish(),
})

export const Run = z
  .object({
    id: z.string(),
    char_id: z.string(),
    task_id: z.string().nullable().describe('Null: it writes a part of the profile for its owner.'),
    app_id: z.string().nullable(),
    owner_id: z.string(),
    trigger: z.object({
      type: z.string(),
      at: z.string(),
      slot: z.string().optional(),
      caller: z.record(z.string(), z.unknown()).optional(),
    }),
    started_by: Actor.nullish().describe(
      'Whose call started it. Null: no call, or one without a credential.',
    ),
    status: z.enum(runStatuses),
    reason: z.string().nullable().describe('Explains the status, if that alone is not enough.'),
    attempt: z.int(),
    input: z.unknown(),
    ...marks,
    output: z.unknown(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    artifacts: z.array(RunArtifact),
    approval_id: z.string().nullable(),
    resumed_from: z.string().nullable(),
    edited_by: Actor.optional().describe(
      'Who changed its input as it was approved; the input of resumed_from is what was asked.',
    ),
    retry_of: z.string().optional().describe('The run that it does again.'),
    model: z.string().optional().describe('provider/model, where a model did it.'),
    degraded: z.array(z.string()).optional().describe('Tools that it did without.'),
    parent_run_id: z.string().nullable(),
    root_run_id: z.string(),
    depth: z.int(),
    usage: ModelUsage,
    not_before: z.string().optional().describe('When it begins at the earliest.'),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    next: Next.optional().describe('What to call if it waits for you.'),
  })
  .meta({ id: 'Run' })
/** One execution of a task, as the wire shows it. */
export type Run = z.infer<typeof Run>

/** What a summary shows of a run. */
export const slimRun: Slim = {
  summary: [
    'id',
    'char_id',
    'task_id',
    'status',
    'reason',
    'untrusted',
    'source',
    'output',
    'error',
    'approval_id',
    'retry_of',
    'degraded',
    'parent_run_id',
    'root_run_id',
    'next',
    'finished_at',
  ],
}

/** Who works on a run now. The write of its outcome is bound to the token, so a late finisher is fenced off. */
export interface RunClaim {
  /** SHA-256 of a lease token, or the random token of our worker. */
  token: string
  by: 'worker' | 'brain'
  /** When it was made. All its times are by the store's clock for leases. */
  at: string
  until: string
  /** Until when heartbeats may extend it. */
  longest: string
  /** The requested length of an agent's lease, by which a heartbeat extends it. */
  seconds?: number
  /** An output of the agent's was refused. */
  refused?: true
  /** What the agent asked for; nothing if any run of its reach would do. */
  wanted?: Wanted
}

/** To which runs an agent that leases one narrows its reach. */
export interface Wanted {
  char_id?: string
  task_id?: string
}

/** The steps that a run starts one after the other; it ends with the output of the last. */
export interface Steps {
  /** The tasks of its agent, by task_id. */
  tasks: string[]
  /** The index of the current one, from 0. */
  at: number
}

/** A run as stored, with what the workers need. */
export interface StoredRun extends Omit<Run, 'next'>, Referring<'input' | 'output'> {
  /** When a worker must handle it next: at once, at the end of its lease, or at its time limit. */
  due_at: string | null
  claim: RunClaim | null
  variables: Record<string, string> | null
  /**
   * Who is to pick it up: our worker, or an agent that leases it. `room`: a worker found all places of
   * its account taken. `turn`: the previous run of the same task has to end first. `approval` and
   * `steps`: it continues with a decision, or with the end of the runs it has started.
   * `resume`: its task is paused. `time`: its time has not come. Null once it has ended.
   */
  waits_for: 'worker' | 'room' | 'turn' | 'brain' | 'approval' | 'steps' | 'resume' | 'time' | null
  /** The runtime of its task when it was made, for the operator's figures. */
  runtime?: string
  /** The trace of what started it. */
  trace?: string
  /** Of a root run: how many runs it is the root of, including itself. */
  family: number
  /** The key of its task until it has ended. */
  open: string | null
  /** Of a run that another waits for: the index of that one's step. */
  step: number | null
  /** Of a run that waits for runs it has started. */
  steps?: Steps
  /** The chat task of a run started by a message to its agent, or of a follow-up run of that. */
  chat_id?: string
  /** The bytes counted for it; missing in older records. */
  bytes?: number
  /** The key of its task while it waits for that to be resumed. */
  held?: string | null
  /** How many of its attempts ended because their process stopped: they are none of those that it has. */
  handed_back?: number
  /** How often it was claimed since no one last held it: more than once where a claim was let run out. */
  taken?: number
  /** When it was queued, if it waited for something else before. */
  released_at?: string
  /** The key of its task while a notice is owed for it. */
  untold?: string | null
  /** Its last retry. */
  retry_id?: string | null
  /** The other account that caused it, if any: counted in that one's share. */
  sender?: string
  /** The hooks and event triggers that led to it, each once: none of them fires again in its chain. */
  fired?: readonly string[]
}
