import { Refusal } from '#src/core/errors.ts'
import { draftOf } from '../imports/draft.ts'
import type { AgentTexts, CopyTerms } from './copyist.ts'
import { copyOf } from './copy.ts'
import { exportOf } from './export.ts'

/** A piece of work on an agent that may be large. */
export type Job =
  | { kind: 'read'; file: Uint8Array }
  | { kind: 'export'; texts: AgentTexts }
  | { kind: 'copy'; texts: AgentTexts; terms: CopyTerms }

/** Its result, in a form that passes between threads. */
export type Result =
  | { done: unknown }
  | { refused: { code: string; message: string; hint: string | undefined } }

/** Does one job, on any thread. Errors other than refusals are rethrown. */
export function work(job: Job): Result {
  try {
    return { done: doneOf(job) }
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    const { code, message, hint } = cause
    return { refused: { code, message, hint } }
  }
}

function doneOf(job: Job): unknown {
  if (job.kind === 'read') return draftOf(job.file)
  return job.kind === 'export' ? exportOf(job.texts) : copyOf(job.texts, job.terms)
}
