import type { Context } from 'koa'
import { hintFor } from '#src/core/commons/codes.ts'
import type { Operation } from '#src/core/operation.ts'
import { HttpFault } from './errors.ts'
import { preferenceOf } from './intake/preference.ts'

/** The form of answer that the caller wants. */
export interface Wanted {
  problem: boolean
  stream: boolean
  /** JSON lines in place of one document. */
  lines: boolean
}

const plain: Wanted = { problem: false, stream: false, lines: false }
/** The type of JSON lines. */
export const jsonLines = 'application/x-ndjson'
const asked = (accept: string, type: string): boolean => accept.toLowerCase().includes(type)

/** Whether errors are wanted as problem details: only if the caller names the type. */
export function wantsProblem(ctx: Context): boolean {
  const accept = preferenceOf(ctx.req.headers.accept)
  if (!accept || !asked(accept, 'application/problem+json')) return false
  return ctx.accepts('application/problem+json') !== false
}

/** Whether a page is preferred over JSON, as by browsers: only if the caller names it. */
export function wantsPage(ctx: Context): boolean {
  const accept = preferenceOf(ctx.req.headers.accept)
  if (!accept || !asked(accept, 'text/html')) return false
  return ctx.accepts('application/json', 'text/html') === 'text/html'
}

/**
 * Which forms of an operation's answer `Accept` admits: JSON, and events if it can be followed, JSON
 * lines if it lists. An overlong header admits everything.
 * @throws HttpFault `not_acceptable`
 */
export function wantedOf(ctx: Context, op: Pick<Operation, 'follow' | 'lines'>): Wanted {
  const accept = preferenceOf(ctx.req.headers.accept)
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return plain
  const problem = wantsProblem(ctx)
  const best = ctx.accepts(
    'application/json',
    ...(op.follow !== undefined ? ['text/event-stream'] : []),
    ...(op.lines ? [jsonLines] : []),
  )
  if (best === 'text/event-stream') return { ...plain, problem, stream: true }
  if (best === jsonLines) return { ...plain, problem, lines: true }
  if (best !== false || problem) return { ...plain, problem }
  throw new HttpFault('not_acceptable', 'This address answers application/json only.', {
    hint: hintFor('not_acceptable'),
  })
}
