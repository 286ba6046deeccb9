import * as z from 'zod'
import { codeInCommons } from '#src/core/commons/refusals.ts'
import type { Code } from '#src/core/errors.ts'
import { isRead, takesAgent, takesBody } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { Fault } from './openapi-fault.ts'

const notice = z.string().describe('What to know in addition to the data; never empty.')

/** The body of every refusal under `/api/commons`. */
export const CommonsFailure = z
  .object({
    ok: z.literal(false),
    data: z.null(),
    error: z.object({
      code: z.string().describe('What is wrong, for programs; never renamed.'),
      message: z.string().describe('What is wrong, for people.'),
      details: z
        .looseObject({ errors: z.array(Fault).optional().describe('Every fault of an input.') })
        .nullable(),
      retry_after_s: z.int().nullable().describe('Seconds to wait, as Retry-After says.'),
      hint: z.string().nullable().describe('What to do next.'),
      docs_url: z.string().describe('Where the code is explained.'),
      request_id: z.string().describe('The header X-Request-Id has it too.'),
    }),
    notice,
  })
  .meta({ id: 'CommonsError' })

/** The envelope around the answer of an operation; the cursor of a list is in `meta`. */
export function enveloped({ output }: Pick<OperationFacts, 'output'>): z.ZodType {
  const request_id = z.string().describe('Also the header X-Request-Id.')
  const { next_cursor: cursor, ...items } = output.shape
  return z.object({
    ok: z.literal(true),
    data: cursor ? z.object(items) : output,
    error: z.null(),
    notice,
    meta: z.object({ request_id, ...(cursor && { next_cursor: cursor }) }),
  })
}

/** The codes of an operation of the Commons, in its own words, with those that its core adds. */
export function commonsCodes(op: OperationFacts, names: readonly Code[]): Code[] {
  const renamed = names
    // Only an open write can meet the quota of a key that it does not need.
    .filter((code) => code !== 'quota_exceeded' || (op.auth === 'none' && !isRead(op)))
    .map(codeInCommons)
  const ofMembers: Code[] = ['token_revoked', 'forbidden', 'banned']
  return [
    ...renamed,
    ...(op.auth === 'commons' ? ofMembers : []),
    ...(takesAgent(op) ? (['character_not_found'] as const) : []),
    ...(op.auth === 'commons' && (op.trust ?? 0) > 0 ? (['trust_too_low'] as const) : []),
    // Unknown members of a query are ignored.
    ...(takesBody(op.http) ? (['unknown_field'] as const) : []),
  ]
}
