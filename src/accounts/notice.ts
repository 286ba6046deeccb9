import * as z from 'zod'

export const noticeTypes = [
  'approval.requested',
  'approval.rejected',
  'approval.expired',
  'task.paused',
  'secret.missing',
  'webhook.disabled',
] as const

export const OwnerNotice = z
  .object({
    id: z.string(),
    type: z.enum(noticeTypes),
    message: z.string().describe('What happened, and what can be done, in words.'),
    char_id: z.string().nullable(),
    task_id: z.string().nullable(),
    run_id: z.string().nullable(),
    approval_id: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'OwnerNotice' })
/** Something that the owner of an account should know of, as its inbox shows it. */
export type OwnerNotice = z.infer<typeof OwnerNotice>

/** A notice at rest. */
export interface StoredNotice extends OwnerNotice {
  owner_id: string
}
