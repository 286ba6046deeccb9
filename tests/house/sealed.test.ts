import { expect, it } from 'vitest'
import { read, sources } from './tree.ts'

/*
 * Data sealed under the master key has to be sealed again when the key is replaced. A new file that
 * seals adds its place to adapters/commands/rotation/places.ts, and then its path here.
 */
const underTheMasterKey = [
  'src/agents/connections/connection.ts',
  'src/events/outbox/outbox.ts',
  'src/accounts/factor/factor.ts',
  'src/accounts/mail/mail.ts',
  'src/accounts/mail/newcomer.ts',
  'src/agents/tasks/replace-tasks.ts',
  'src/agents/app/sealed-secrets.ts',
  'src/agents/secrets/stored-secrets.ts',
  'src/agents/sealed/keep.ts',
  'src/runs/chat/push/target.ts',
  'src/runs/channels/begin.ts',
  'src/operations/commons/webhooks/create.ts',
  'src/operations/notifications/webhook/set.ts',
  'src/operations/notifications/push/add.ts',
  'src/events/browsers/server-key.ts',
]
const underATokenOfTheCaller = [
  'src/core/admission/idempotency.ts',
  'src/operations/agent-claim/create.ts',
]
/** Is kept by a browser for a quarter of an hour, or is in a mail, and nowhere here. */
const kept = [
  'src/runs/told/unsubscribe.ts',
  'src/accounts/factor/pass.ts',
  'src/accounts/passkeys/challenge.ts',
  'src/accounts/people/attempt.ts',
]
/** Is handed the function of provisioning. */
const passingOn = ['src/apps/plan.ts']

it('happens only where the rotation of the master key knows of it', () => {
  const sealing = sources('src', 'protocol', 'adapters')
    .filter(
      (path) => !path.startsWith('adapters/commands/rotation/') && path !== 'src/core/seal.ts',
    )
    .filter((path) => /\bseal(?:Steps)?\(/.test(read(path)))
  const known = [...underTheMasterKey, ...underATokenOfTheCaller, ...kept, ...passingOn]
  expect(sealing.sort()).toEqual(known.sort())
})
