import * as z from 'zod'
import { newId } from '#src/core/ids.ts'
import { marks, marksOf, type Marks } from '#src/core/text/untrusted.ts'
import { Next } from '#src/core/words/next-call.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

/** How long notices are kept. */
export const noticeDays = 90

export const noticeTypes = [
  'approval.requested',
  'approval.rejected',
  'approval.expired',
  'task.paused',
  'run.failed',
  'work.held',
  'work.skipped',
  'handoff.dropped',
  'secret.missing',
  'webhook.disabled',
  'delivery.failed',
  'key.created',
  'key.new_network',
  'connection.created',
  'gate.changed',
  'key.recovered',
  'policy.changed',
  'connection.needs_consent',
  'members.changed',
  'budget.warned',
  'budget.used_up',
] as const

/** Those that tell of something which goes on until someone acts, or it ends by itself. */
const lasting: ReadonlySet<string> = new Set<(typeof noticeTypes)[number]>([
  'approval.requested',
  'task.paused',
  'run.failed',
  'work.held',
  'work.skipped',
  'handoff.dropped',
  'secret.missing',
  'webhook.disabled',
  'delivery.failed',
  'connection.needs_consent',
])

/** Whether what a notice tells of may still want someone. */
export function isOpenNotice({
  type,
  resolved_at,
  dismissed_at,
}: Pick<OwnerNotice, 'type' | 'resolved_at' | 'dismissed_at'>) {
  return lasting.has(type) && resolved_at === null && dismissed_at === null
}

/** How a notice stands once it has happened again: no one has read of this. */
export const unseenAgain: Pick<StoredNotice, 'readers' | 'resolved_at' | 'dismissed_at'> = {
  readers: [],
  resolved_at: null,
  dismissed_at: null,
}

export const OwnerNotice = z
  .object({
    id: z.string(),
    type: z.enum(noticeTypes),
    message: z.string().describe('What happened, and what the owner can do.'),
    reason: z.string().nullable().describe('A code for why, if there is one.'),
    count: z.int().describe('How often it happened in this hour.'),
    next: z.array(Next).describe('What to call about it.'),
    char_id: z.string().nullable(),
    task_id: z.string().nullable(),
    run_id: z.string().nullable().describe('The last run that it is about.'),
    approval_id: z.string().nullable(),
    read: z.boolean().describe('Whether a listing of the same reader has shown it before.'),
    created_at: z.string(),
    updated_at: z.string().describe('When it last happened.'),
    resolved_at: z.string().nullable().describe('When its cause was gone.'),
    dismissed_at: z.string().nullable().describe('When someone put it aside.'),
    ...marks,
  })
  .meta({ id: 'OwnerNotice' })
/** Something that the owner of an account should know, as the inbox shows it. */
export type OwnerNotice = z.infer<typeof OwnerNotice>

/** A notice at rest. Those of before lack what was added since. */
export interface StoredNotice extends Omit<OwnerNotice, 'read'> {
  owner_id: string
  /** The key or the person of each reader that a listing has shown it. */
  readers: string[]
  /** What is told once an hour, with its count. */
  group?: string
  /** The secrets that are missing, by agent: once each agent has them or is gone, so is the cause. */
  missing?: MissingSecret[]
  /** The connection that waits for consent: once it is given or removed, the cause is gone. */
  connection_id?: string
}

/** A secret that an agent needs and does not have. */
export interface MissingSecret {
  char_id: string
  name: string
}

/** The subject of a notice, if it has one. */
export type NoticeSubject = Partial<
  Pick<OwnerNotice, 'char_id' | 'task_id' | 'run_id' | 'approval_id'>
>

/** What a notice may say besides its message. */
export type NoticeDetails = Partial<
  Pick<StoredNotice, 'reason' | 'count' | 'next' | 'group' | 'missing' | 'connection_id'>
> &
  Marks

/** The write of a notice to the owner of an account, for the commit of its cause. */
export function noticeTo(
  ownerId: string,
  type: OwnerNotice['type'],
  message: string,
  about: NoticeSubject,
  now: Date,
  details: NoticeDetails = {},
): Write {
  const { char_id = null, task_id = null, run_id = null, approval_id = null } = about
  const { reason = null, count = 1, next = [], group, missing, connection_id } = details
  const insert: StoredNotice = {
    id: newId('ntc'),
    type,
    message,
    reason,
    count,
    next,
    char_id,
    task_id,
    run_id,
    approval_id,
    created_at: timestamp(now),
    updated_at: timestamp(now),
    owner_id: ownerId,
    ...unseenAgain,
    ...(group !== undefined && { group }),
    ...(missing !== undefined && { missing }),
    ...(connection_id !== undefined && { connection_id }),
    ...marksOf(details),
  }
  return { in: 'notices', insert }
}

/** A stored notice as one reader is shown it. */
export function shownTo(
  reader: string,
  stored: Partial<StoredNotice> & { id: string; read?: boolean },
): OwnerNotice {
  const {
    owner_id: _owner,
    readers = [],
    group: _group,
    missing: _missing,
    connection_id: _connection,
    read = false,
    ...rest
  } = stored
  const added = {
    reason: null,
    count: 1,
    next: [],
    updated_at: rest.created_at,
    resolved_at: null,
    dismissed_at: null,
  }
  // What was read before readers were told apart, all have read.
  const whole = { ...added, ...rest, read: read || readers.includes(reader) }
  // All other members were stored from the first.
  return whole as OwnerNotice
}
