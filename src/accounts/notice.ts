import * as z from 'zod'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

/** How long notices are kept. */
export const noticeDays = 90

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
    message: z.string().describe('What happened, and what the owner can do.'),
    char_id: z.string().nullable(),
    task_id: z.string().nullable(),
    run_id: z.string().nullable(),
    approval_id: z.string().nullable(),
    read: z.boolean().describe('Whether a listing before this one has shown it.'),
    created_at: z.string(),
  })
  .meta({ id: 'OwnerNotice' })
/** Something that the owner of an account should know, as the inbox shows it. */
export type OwnerNotice = z.infer<typeof OwnerNotice>

/** A notice at rest. */
export interface StoredNotice extends OwnerNotice {
  owner_id: string
}

/** The subject of a notice, if it has one. */
export type NoticeSubject = Partial<
  Pick<OwnerNotice, 'char_id' | 'task_id' | 'run_id' | 'approval_id'>
>

/** The write of a notice to the owner of an account, for the commit of its cause. */
export function noticeTo(
  ownerId: string,
  type: OwnerNotice['type'],
  message: string,
  about: NoticeSubject,
  now: Date,
): Write {
  const { char_id = null, task_id = null, run_id = null, approval_id = null } = about
  const subject = { char_id, task_id, run_id, approval_id }
  const id = newId('ntc')
  const insert: StoredNotice = {
    id,
    type,
    message,
    ...subject,
    read: false,
    created_at: timestamp(now),
    owner_id: ownerId,
  }
  return { in: 'notices', insert }
}
