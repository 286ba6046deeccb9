import * as z from 'zod'
import { commitAudited } from '#src/accounts/audit/commit.ts'
import { inOwnAccount } from '#src/accounts/people/session.ts'
import { PlainName } from '#src/agents/name.ts'
import { refuse } from '#src/core/errors.ts'
import { digest, newId } from '#src/core/ids.ts'
import { operation } from '#src/core/operation.ts'
import { contended } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { browserGone } from '#src/events/browsers/push.ts'
import { serverKey } from '#src/events/browsers/server-key.ts'
import {
  browserSeal,
  browsersAtMost,
  shownBrowser,
  SubscribedBrowser,
  Subscription,
  type StoredBrowser,
} from '#src/events/browsers/subscription.ts'
import { mustBeReachable } from '#src/events/outbox/receiver.ts'
import { browsersOf } from '#src/runs/told/push.ts'
import { DuplicateKey, type Write } from '#src/ports/store.ts'

/** An old service that takes no push of RFC 8030, and no browser subscribes at any more. */
const closedService = 'https://android.googleapis.com/gcm/'
const pointer = '/subscription/endpoint'
const unnamed = 'A browser'

export const add = operation({
  name: 'notifications.push.add',
  summary:
    'Have a browser show what the signed-in person is told, also while no page is open in it.',
  description:
    'The browser has subscribed at its push service with the application_server_key of <notifications.push.list>. The same ' +
    'browser again changes nothing, and one that told another person tells this one alone from then on. What it ' +
    'shows, of which account, is chosen by <notifications.update>. A browser that was given another subscription ' +
    '(`pushsubscriptionchange`) replaces its own.',
  first: 'notifications.push.list',
  example: {
    name: 'Firefox at work',
    subscription: {
      endpoint: 'https://push.example.com/send/7Hm2xQ',
      keys: {
        p256dh:
          'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  },
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/account/notifications/push', status: 201 },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({
    name: PlainName.optional().describe(
      `By which the person knows it; by default that of the browser that it replaces, or "${unnamed}".`,
    ),
    subscription: Subscription.describe('What `PushSubscription.toJSON()` gives in the browser.'),
    replaces: Subscription.optional().describe(
      'The one that it had before, which ends; one that is not subscribed changes nothing.',
    ),
  }),
  output: SubscribedBrowser,
  refuses: ['person_needed', 'push_limit_reached', 'write_conflict'],
  reachesOut: true,

  async run({ name, subscription, replaces }, context) {
    const { store, caller, clock, sealer, sender, commit } = context
    const { endpoint, keys } = subscription
    mustBeReachable(sender, endpoint, { pointer, encrypted: true })
    if (endpoint.startsWith(closedService)) return closed()
    const { personId: person_id } = caller
    const hash = hashOf(subscription)
    // A browser is the person's own, whichever account they act for.
    const [theirs, [known], own, { publicKey: server_key }] = await Promise.all([
      browsersOf(store, person_id),
      store.push_subscriptions.find({ hash }, { limit: 1 }),
      inOwnAccount(store, caller),
      serverKey(context),
    ])
    const isTheirs = known?.person_id === person_id
    if (isTheirs && known.server_key === server_key) return commit(shownBrowser(known), [])
    const hashes = replaces ? [hash, hashOf(replaces)] : [hash]
    const before = theirs.filter((one) => hashes.includes(one.hash))
    const others = theirs.filter((one) => !before.includes(one))
    const slot = Array.from({ length: browsersAtMost }, (_, place) => place).find(
      (place) => !others.some((one) => one.slot === place),
    )
    if (slot === undefined) return enough()
    const id = newId('psb')
    const insert: StoredBrowser = {
      id,
      person_id,
      account_id: own.accountId,
      slot,
      name: name ?? before[0]?.name ?? unnamed,
      service: new URL(endpoint).origin,
      created_at: timestamp(clock.now()),
      last_sent_at: null,
      error: null,
      hash,
      server_key,
      sealed: sealer.seal(JSON.stringify({ endpoint, keys }), browserSeal(id)),
    }
    // Who has all of a subscription has the browser.
    const gone = known && !isTheirs ? [...before, known] : before
    const writes: Write[] = [...gone.flatMap(browserGone), { in: 'push_subscriptions', insert }]
    const note = { operation: 'notifications.push.add', about: { push_id: id } }
    const auditing = { ...context, caller: own }
    return commitAudited(auditing, shownBrowser(insert), writes, note).catch(addedMeanwhile)
  },
})

/** By which a subscription is known without being kept in clear. */
function hashOf({ endpoint, keys: { p256dh, auth } }: Subscription): string {
  return digest(JSON.stringify([endpoint, p256dh, auth]))
}

function closed(): never {
  const message = 'This push service takes nothing any more: subscribe with another browser.'
  const errors = [{ pointer, message, code: 'address_refused' }]
  return refuse('invalid_input', message, { errors })
}

function enough(): never {
  return refuse('push_limit_reached', `A person is told by ${browsersAtMost} browsers at most.`, {
    hint: '<notifications.push.delete> removes one.',
  })
}

function addedMeanwhile(cause: unknown): never {
  if (!(cause instanceof DuplicateKey) || cause.in !== 'push_subscriptions') throw cause
  return contended('Another browser is being added.')
}
