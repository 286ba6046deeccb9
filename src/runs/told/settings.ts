import * as z from 'zod'
import { membershipId, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { Timezone } from '#src/agents/tasks/timezone.ts'
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

/** How one kind is told of. */
export const Ways = z.strictObject({ mail: z.boolean() })

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
      'For how long what happens after the first is gathered into one mail.',
    ),
  })
  .meta({ id: 'NotificationSettings' })
/** Where and when a person is told of what happens in an account. */
export type NotificationSettings = z.infer<typeof NotificationSettings>

/** What a person has chosen, at rest. Its id is made of the account and them. */
export interface StoredNotificationSettings extends NotificationSettings {
  id: string
  account_id: string
  person_id: string
  updated_at: string
}

/** The id of a person's settings in an account. */
export const settingsId = membershipId

/** What holds for a person: what they have chosen, else what their role makes likely. */
export function settingsOf(
  stored: StoredNotificationSettings | undefined,
  role: AccountRole | undefined,
): NotificationSettings {
  const likely = kindNames.map((kind) => [
    kind,
    { mail: kinds[kind].byDefault && (role === 'owner' || role === 'approver') },
  ])
  // One entry for each kind.
  const byRole = Object.fromEntries(likely) as NotificationSettings['kinds']
  if (!stored) return { kinds: byRole, quiet_hours: null, digest_minutes: 1 }
  const { kinds: chosen, quiet_hours, digest_minutes } = stored
  // Of a kind that came after their choice they have not chosen.
  return { kinds: { ...byRole, ...chosen }, quiet_hours, digest_minutes }
}
