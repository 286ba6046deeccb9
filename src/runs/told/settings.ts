import * as z from 'zod'
import { membershipId, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { Timezone } from '#src/agents/tasks/timezone.ts'
import type { SealedFor } from '#src/core/seal.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { kindNames, kinds, type Kind } from './kinds.ts'

const Clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, such as "22:00"')

export const QuietHours = z
  .strictObject({
    from: Clock,
    to: Clock.describe('On the next day where it comes before from.'),
    timezone: Timezone.describe('IANA name.'),
    approvals_pass: z
      .boolean()
      .default(false)
      .describe('Whether approvals that wait are told of in these hours too.'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'must be another time than from',
  })

/** The ways by which something is told. */
export const wayNames = ['mail', 'webhook', 'push'] as const
export type Way = (typeof wayNames)[number]

/** How one kind is told of. */
export const Ways = z.strictObject({ mail: z.boolean(), webhook: z.boolean(), push: z.boolean() })

/** Where a person has what concerns them sent. */
export const NewsWebhook = z
  .object({
    url: z.string(),
    state: z
      .enum(['active', 'disabled'])
      .describe('Disabled once nothing was taken for a day, or it answered 410 (gone).'),
  })
  .meta({ id: 'NewsWebhook' })

const waysOfKinds = (of: (kind: Kind) => z.ZodType<z.infer<typeof Ways>>) =>
  Object.fromEntries(kindNames.map((kind) => [kind, of(kind)])) as Record<
    Kind,
    z.ZodType<z.infer<typeof Ways>>
  >

/** A day. */
export const digestMinutesAtMost = 1440
export const DigestMinutes = z.int().min(1).max(digestMinutesAtMost)

export const NotificationSettings = z
  .object({
    kinds: z.object(waysOfKinds((kind) => Ways.describe(`${kinds[kind].title}.`))),
    quiet_hours: QuietHours.nullable().describe('When nothing is told; it is told once they end.'),
    digest_minutes: DigestMinutes.describe(
      'For how long what happens after the first is gathered into one mail, call or push.',
    ),
    webhook: NewsWebhook.nullable().describe(
      'Where it is sent too, as <notifications.webhook.set> has said.',
    ),
  })
  .meta({ id: 'NotificationSettings' })
/** Where and when a person is told of what happens in an account. */
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** What a person has chosen, at rest. Its id is made of the account and them. */
export interface StoredNotificationSettings extends Omit<NotificationSettings, 'webhook'> {
  id: string
  account_id: string
  person_id: string
  updated_at: string
  webhook?: NotificationSettings['webhook']
  /** What signs the calls to the webhook. */
  sealed_secret?: string
}

/** The write of what a person has chosen. It fails (`Unmet`) if they have chosen otherwise meanwhile. */
export function chosenWrite(
  kept: StoredNotificationSettings | undefined,
  theirs: Omit<StoredNotificationSettings, 'updated_at'>,
  now: Date,
): Write {
  const row = { ...theirs, updated_at: timestamp(now) }
  const { id } = theirs
  return kept
    ? { in: 'notification_settings', update: { id, updated_at: kept.updated_at }, replace: row }
    : { in: 'notification_settings', insert: row }
}

/** What the seal of a webhook's secret is bound to. */
export function newsSeal(id: string): SealedFor {
  return { id, purpose: 'news_webhook_secret' }
}

/** The id of a person's settings in an account. */
export const settingsId = membershipId

/** What holds for a person: what they have chosen, else what their role makes likely. */
export function settingsOf(
  stored: StoredNotificationSettings | undefined,
  role: AccountRole | undefined,
): NotificationSettings {
  const decides = role === 'owner' || role === 'approver'
  const likely = kindNames.map((kind) => {
    const { byDefault } = kinds[kind]
    // Who has set another way up wants to be told by it, in any role.
    const ways = { mail: byDefault && decides, webhook: byDefault, push: byDefault }
    // Of a kind or way that came after their choice they have not chosen.
    return [kind, { ...ways, ...stored?.kinds[kind] }]
  })
  const { quiet_hours = null, digest_minutes = 1, webhook = null } = stored ?? {}
  // One entry for each kind.
  const chosen = Object.fromEntries(likely) as NotificationSettings['kinds']
  return { kinds: chosen, quiet_hours, digest_minutes, webhook }
}
