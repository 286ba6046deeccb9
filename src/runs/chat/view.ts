import * as z from 'zod'
import { marks } from '#src/core/text/untrusted.ts'
import { Approval } from '../approvals/approval.ts'
import { RunArtifact, runStatuses } from '../run.ts'

export const ChatShown = z
  .object({
    id: z.string(),
    char_id: z.string(),
    context_id: z.string(),
    message_id: z.string(),
    run_id: z.string().describe('The run that goes on now: another one after an approval.'),
    status: z.enum(runStatuses),
    reason: z.string().nullable(),
    input: z.unknown(),
    ...marks,
    output: z.unknown(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    artifacts: z.array(RunArtifact),
    approval: Approval.nullable().describe('The last that was asked, for those who may see it.'),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    is_own: z.boolean().describe("The caller is the agent's account."),
    is_sender: z.boolean(),
  })
  .meta({ id: 'ChatTask' })
/** A chat task as shown to callers that may see it. */
export type ChatShown = z.infer<typeof ChatShown>
