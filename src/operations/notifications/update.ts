import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { kindNames, kinds, type Kind } from '#src/runs/told/kinds.ts'
import {
  DigestMinutes,
  NotificationSettings,
  QuietHours,
  settingsId,
  settingsOf,
  Ways,
  chosenWrite,
} from '#src/runs/told/settings.ts'
import { rolesIn } from '#src/runs/told/gather.ts'

const SomeWays = Ways.partial()

export const update = operation({
  name: 'notifications.update',
  summary: 'Choose of what the signed-in person is told, how, and when.',
  description:
    'Members that are not sent stay. What happens after the first is gathered for digest_minutes into one mail or call, which ' +
    'counts it and links the first ten. In quiet hours it is kept until they end.',
  example: {
    kinds: { budget_reached: { mail: true } },
    quiet_hours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', approvals_pass: true },
  },
  auth: 'person',
  ofPerson: true,
  http: { method: 'PUT', path: '/api/account/notifications' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    kinds: z.strictObject(waysOfSome()).optional(),
    quiet_hours: QuietHours.nullable().optional(),
    digest_minutes: DigestMinutes.optional(),
  }),
  output: NotificationSettings,
  refuses: ['person_needed', 'write_conflict'],

  run(sent, { store, caller, clock, commit }) {
    const { accountId: account_id, personId: person_id } = caller
    const id = settingsId(account_id, person_id)
    return retryUnmet(async () => {
      const [roles, kept] = await Promise.all([
        rolesIn(store, account_id),
        store.notification_settings.get(id),
      ])
      const before = settingsOf(kept, roles.get(person_id))
      const chosen = kindNames.map((kind) => [
        kind,
        { ...before.kinds[kind], ...sent.kinds?.[kind] },
      ])
      const after: NotificationSettings = {
        // One entry for each kind.
        kinds: Object.fromEntries(chosen) as NotificationSettings['kinds'],
        quiet_hours: sent.quiet_hours === undefined ? before.quiet_hours : sent.quiet_hours,
        digest_minutes: sent.digest_minutes ?? before.digest_minutes,
        webhook: before.webhook,
      }
      const theirs = { ...kept, id, account_id, person_id, ...after }
      return commit(after, [chosenWrite(kept, theirs, clock.now())])
    })
  },
})

function waysOfSome() {
  const some = kindNames.map((kind) => [
    kind,
    SomeWays.optional().describe(`${kinds[kind].title}.`),
  ])
  // One entry for each kind.
  return Object.fromEntries(some) as Record<Kind, z.ZodOptional<typeof SomeWays>>
}
