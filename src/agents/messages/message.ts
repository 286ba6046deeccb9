import * as z from 'zod'
import { marks } from '#src/core/text/untrusted.ts'

export const Message = z
  .object({
    id: z.string(),
    from: z.string().describe('The agent that sent it.'),
    to: z.string().describe('The agent that received it.'),
    body: z.string(),
    task_id: z.string().nullable().describe('The task of the receiver that it was meant for.'),
    run_id: z.string().nullable().describe('The run whose result it carries.'),
    runs: z.array(z.string()).describe('The runs that it started.'),
    created_at: z.string(),
    ...marks,
  })
  .meta({ id: 'Message' })
/** A message from one agent to another, as both see it. */
export type Message = z.infer<typeof Message>

/**
 * A message as stored. It holds the accounts of both agents, because the id of a deleted agent may be
 * reused by another account.
 */
export interface StoredMessage extends Message {
  from_owner: string
  to_owner: string
  /** The account that has deleted it for itself. */
  deleted_by?: string
}
