import { codes, Refusal, type Code } from '#src/core/errors.ts'
import type { AgentTexts, Copy, Copyist, Draft } from '#src/agents/copies/copyist.ts'
import { FairThread, ThreadLost } from '../fair-thread.ts'

/** Up to this size the work is done on the event loop: starting the thread would take longer. */
const atOnceBytes = 65_536
/** Large agents that wait for the thread: in all, and of one account. */
const waitingAtMost = { all: 64, each: 16 }
const usual = { patienceMs: 20_000, memoryMb: 512 }

/** What does the work, and how long it may take. */
export interface CopyistTerms {
  /** The module whose `work` takes a job and returns its result. */
  desk: URL
  patienceMs?: number
  /** The thread's memory, in megabytes. */
  memoryMb?: number
}

interface Job {
  kind: 'read' | 'export' | 'copy'
  [member: string]: unknown
}

type Result =
  | { done: unknown }
  | { refused: { code: string; message: string; hint: string | undefined } }
  | { failed: string }

/** Works on small agents at once, and on larger ones in a thread, one after the other, for accounts in turn. */
export function openCopyist(terms: CopyistTerms): Copyist {
  const { desk, patienceMs, memoryMb } = { ...usual, ...terms }
  const thread = new FairThread<Job, Result>({
    name: 'copyist',
    module: new URL('./worker.ts', import.meta.url),
    given: desk.href,
    patienceMs,
    memoryMb,
    newMb: 64,
    waiting: waitingAtMost,
    full: 'Too many large agents are being read, written and copied.',
  })
  const inThread = (job: Job, accountId: string): Promise<Result> =>
    thread
      .do(() => job, accountId)
      .catch((cause: unknown) => {
        if (!(cause instanceof ThreadLost)) throw cause
        throw isOfMemory(cause.cause) ? tooCostly(job) : cause.cause
      })
  const work = async (job: Job, bytes: number, accountId: string): Promise<unknown> => {
    const isSmall = bytes <= atOnceBytes
    const result = isSmall ? await atOnce(terms, job) : await inThread(job, accountId)
    if ('done' in result) return result.done
    if ('failed' in result) throw new Error(result.failed)
    const { code, message, hint } = result.refused
    throw new Refusal(isCode(code) ? code : 'internal_error', message, { hint })
  }
  // The module returns the right result for each kind of work.
  return {
    read: async (file, accountId) =>
      (await work({ kind: 'read', file }, file.length, accountId)) as Draft,
    exported: async (texts, accountId) =>
      (await work({ kind: 'export', texts }, sizeOf(texts), accountId)) as string,
    copied: async (texts, about, accountId) =>
      (await work({ kind: 'copy', texts, terms: about }, sizeOf(texts), accountId)) as Copy,
    close: () => thread.close(),
  }
}

function sizeOf({ agent, tasks }: AgentTexts): number {
  return tasks.reduce((sum, task) => sum + task.length, agent.length)
}

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code)
}

async function atOnce({ desk }: CopyistTerms, job: Job): Promise<Result> {
  // The composition root names the module, which has this one function.
  const { work } = (await import(desk.href)) as { work: (job: Job) => Result }
  return work(job)
}

/** Also a thread that was ended because it took too long has no fault to tell. */
function isOfMemory(fault: unknown): boolean {
  if (fault === undefined) return true
  return fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** A file that once needed too much would need too much again. */
function tooCostly({ kind }: Job): Refusal {
  if (kind === 'read') {
    return new Refusal('import_unreadable', 'The file takes too much time or memory to read.')
  }
  return new Refusal('unavailable', 'The agent takes too much time or memory to copy.', {
    retryAfterSeconds: 60,
  })
}
