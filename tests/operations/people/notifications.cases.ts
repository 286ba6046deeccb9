import { expect } from 'vitest'
import { unsubscribeAddress } from '#src/runs/told/unsubscribe.ts'
import { browserSubscription } from '#tests/support/push/subscription.ts'
import { given, needsKey, type Case, type Stage } from '../case.ts'
import { needsPerson } from './people.cases.ts'

const quiet_hours = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin', approvals_pass: true }

const codeIn = (address: string): string => address.slice(address.lastIndexOf('/') + 1)

/** A subscription as no other case has it. */
const subscriptionOf = (stage: Stage, nth = 0) => ({
  ...browserSubscription,
  endpoint: `https://push.example.com/${stage.id('browser')}/${nth}`,
})

/** A person with a browser, and what it was subscribed by. */
async function subscribed(stage: Stage) {
  const by = subscriptionOf(stage)
  const input = { name: 'Firefox', subscription: by }
  return { by, added: await stage.ask('notifications.push.add', input, 'person') }
}

const nine = Array.from({ length: 9 }, (_, nth) => `Browser ${nth + 1}`)

const pushes: readonly Case[] = [
  given({
    op: 'notifications.push.add',
    title: 'a browser is subscribed once, and neither its address nor its keys are shown again',
    as: 'person',
    given: subscribed,
    input: ({ by }) => ({ name: 'Again', subscription: by }),
    answer: async (answer, { by, added }, stage) => {
      expect(answer).toEqual(added)
      expect(answer).toMatchObject({ name: 'Firefox', service: 'https://push.example.com' })
      const { items } = await stage.ask('notifications.push.list', {}, 'person')
      expect(items).toEqual([answer])
      const exported = await stage.ask('account.export', {}, 'person')
      const all = JSON.stringify([answer, items, exported])
      expect(all).toContain('subscribed_browser')
      expect(all).not.toContain(by.endpoint)
      expect(all).not.toContain(browserSubscription.keys.auth)
    },
  }),
  ...[
    { endpoint: 'https://127.0.0.1/send' },
    { endpoint: 'https://169.254.169.254/latest/meta-data' },
    { endpoint: 'https://[::1]/send' },
    { endpoint: 'https://user:word@push.example.com/send' },
    { endpoint: 'http://push.example.com/send' },
    { endpoint: 'https://android.googleapis.com/gcm/send/1' },
    { endpoint: `https://push.example.com/${'x'.repeat(2048)}` },
    { keys: { ...browserSubscription.keys, auth: 'c2hvcnQ' } },
    { keys: { ...browserSubscription.keys, p256dh: `B${'A'.repeat(86)}` } },
    { keys: { ...browserSubscription.keys, p256dh: 'B'.repeat(100_000) } },
    { keys: { ...browserSubscription.keys, more: 'x' } },
  ].map((wrong) =>
    given({
      op: 'notifications.push.add',
      title: `no browser is subscribed by ${JSON.stringify(wrong).slice(0, 80)}`,
      as: 'person',
      input: () => ({ name: 'Firefox', subscription: { ...browserSubscription, ...wrong } }),
      refusal: 'invalid_input',
    }),
  ),
  given({
    op: 'notifications.push.add',
    title:
      'a browser with another subscription replaces its own, keeps its name, and takes no other place',
    as: 'person',
    async given(stage) {
      const { by } = await subscribed(stage)
      for (let nth = 1; nth < 10; nth++) {
        const input = { name: `Browser ${nth}`, subscription: subscriptionOf(stage, nth) }
        await stage.ask('notifications.push.add', input, 'person')
      }
      return by
    },
    input: (replaces, stage) => ({ subscription: subscriptionOf(stage, 10), replaces }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({ name: 'Firefox', last_sent_at: null })
      const { items } = await stage.ask('notifications.push.list', {}, 'person')
      const names = items.map(({ name }: { name: string }) => name)
      expect(names.toSorted()).toEqual([...nine, 'Firefox'])
      expect(items.at(-1)).toEqual(answer)
    },
  }),
  given({
    op: 'notifications.push.add',
    title: 'an eleventh is refused',
    as: 'person',
    async given(stage) {
      for (let nth = 0; nth < 10; nth++) {
        const input = { name: `Browser ${nth}`, subscription: subscriptionOf(stage, nth) }
        await stage.ask('notifications.push.add', input, 'person')
      }
    },
    input: (_, stage) => ({ name: 'One more', subscription: subscriptionOf(stage, 10) }),
    refusal: 'push_limit_reached',
  }),
  ...needsPerson('notifications.push.add', { name: 'Firefox', subscription: browserSubscription }),
  given({
    op: 'notifications.push.list',
    title: 'they are listed with what another browser is subscribed with, always the same',
    as: 'person',
    given: subscribed,
    input: () => ({}),
    answer: async ({ items, application_server_key }, { added }, stage) => {
      expect(items).toEqual([added])
      expect(Buffer.from(application_server_key, 'base64url')).toHaveLength(65)
      expect(await stage.ask('notifications.push.list', {}, 'rival')).toEqual({
        items: [],
        application_server_key,
      })
    },
  }),
  ...needsPerson('notifications.push.list', {}),
  given({
    op: 'notifications.push.delete',
    title: 'one is removed',
    as: 'person',
    given: subscribed,
    input: ({ added }) => ({ push_id: added.id }),
    answer: async (_, __, stage) =>
      expect(await stage.ask('notifications.push.list', {}, 'person')).toMatchObject({ items: [] }),
  }),
  given({
    op: 'notifications.push.delete',
    title: 'that of another person is not there',
    as: 'rival',
    given: subscribed,
    input: ({ added }) => ({ push_id: added.id }),
    refusal: 'push_not_found',
  }),
  ...needsPerson('notifications.push.delete', { push_id: 'psb_1' }),
  ...(['mail', 'webhook', 'push'] as const).map((way) =>
    given({
      op: 'notifications.test',
      title: `what ${way} lacks is said`,
      as: 'person',
      input: () => ({ way }),
      answer: (answer) =>
        expect(answer).toEqual({ way, sent: false, tried: [], lacking: expect.any(String) }),
    }),
  ),
  given({
    op: 'notifications.test',
    title: 'there is no other way',
    as: 'person',
    input: () => ({ way: 'pigeon' }),
    refusal: 'invalid_input',
  }),
  ...needsPerson('notifications.test', { way: 'push' }),
]

/** Where and when persons are told of what happens. */
export const notifications: readonly Case[] = [
  ...needsKey('notifications.get', {}),
  given({
    op: 'notifications.get',
    title: 'a key reads what holds for who holds the account; where no one does, no mail is sent',
    as: 'owner',
    input: () => ({}),
    answer: (answer) =>
      expect(answer).toMatchObject({
        kinds: { approval_waiting: { mail: false } },
        quiet_hours: null,
        digest_minutes: 1,
      }),
  }),
  given({
    op: 'notifications.get',
    title: 'who holds an account is told of approvals and failures where they have not chosen',
    as: 'person',
    not: { mcp: 'no session there', a2a: 'no session there' },
    input: () => ({}),
    answer: (answer) =>
      expect(answer).toMatchObject({
        kinds: {
          approval_waiting: { mail: true },
          run_failed: { mail: true },
          budget_reached: { mail: false },
          agent_paused: { mail: false },
        },
      }),
  }),
  given({
    op: 'notifications.update',
    title: 'a person chooses, what is not sent stays, and another person is not concerned',
    as: 'person',
    given: (stage) =>
      stage.ask('notifications.update', { quiet_hours, digest_minutes: 30 }, 'person'),
    input: () => ({ kinds: { run_failed: { mail: false } } }),
    answer: async (answer, _, stage) => {
      expect(answer).toMatchObject({
        kinds: { run_failed: { mail: false }, approval_waiting: { mail: true } },
        quiet_hours,
        digest_minutes: 30,
      })
      expect(await stage.ask('notifications.get', {}, 'person')).toEqual(answer)
      expect(await stage.ask('notifications.get', {}, 'rival')).toMatchObject({ quiet_hours: null })
    },
  }),
  ...[
    { quiet_hours: { ...quiet_hours, to: '22:00' } },
    { quiet_hours: { ...quiet_hours, from: '24:00' } },
    { quiet_hours: { ...quiet_hours, timezone: 'Europe/Atlantis' } },
    { digest_minutes: 0 },
  ].map((input) =>
    given({
      op: 'notifications.update',
      title: `no times are made of ${JSON.stringify(input)}`,
      as: 'person',
      input: () => input,
      refusal: 'invalid_input',
    }),
  ),
  ...needsPerson('notifications.update', {}),
  ...[false, true].map((all) =>
    given({
      op: 'notifications.unsubscribe',
      title: `the link of a mail ends ${all ? 'all mails' : 'mails of its kind'}, however often, and nothing else`,
      as: 'anonymous',
      async given(stage) {
        const { id: person_id, account_id } = await stage.person('person')
        const told = { account_id, person_id, kinds: ['run_failed' as const] }
        const code = codeIn(unsubscribeAddress(stage.world.ports, told))
        await stage.ask('notifications.unsubscribe', { code }, 'anonymous')
        return code
      },
      input: (code) => ({ code, all }),
      answer: async ({ kinds }, _, stage) => {
        expect(kinds).toHaveLength(all ? 4 : 1)
        expect(await stage.ask('notifications.get', {}, 'person')).toMatchObject({
          kinds: {
            run_failed: { mail: false, webhook: true },
            approval_waiting: { mail: !all, webhook: true },
          },
        })
        expect(await stage.ask('notifications.get', {}, 'rival')).toMatchObject({
          kinds: { run_failed: { mail: true } },
        })
      },
    }),
  ),
  given({
    op: 'notifications.unsubscribe',
    title: 'who has left is answered the same, and nothing is kept of them',
    as: 'anonymous',
    given: (stage) =>
      Promise.resolve(
        codeIn(
          unsubscribeAddress(stage.world.ports, {
            account_id: 'acc_gone',
            person_id: stage.id('gone'),
            kinds: ['run_failed'],
          }),
        ),
      ),
    input: (code) => ({ code }),
    answer: async ({ kinds }, _, stage) => {
      expect(kinds).toEqual(['run_failed'])
      const theirs = { person_id: stage.id('gone') }
      expect(await stage.world.ports.store.notification_settings.count(theirs)).toBe(0)
    },
  }),
  given({
    op: 'notifications.unsubscribe',
    title: 'a link that was never sent ends nothing',
    as: 'anonymous',
    input: () => ({ code: 'x'.repeat(200) }),
    refusal: 'link_unusable',
  }),
  given({
    op: 'notifications.webhook.set',
    title: 'a person sets their webhook, is shown its secret once, and chooses what is sent there',
    as: 'person',
    given: (stage) =>
      stage.ask('notifications.update', { kinds: { run_failed: { webhook: false } } }, 'person'),
    input: () => ({ url: 'https://example.com/told' }),
    answer: async ({ secret, url, state }, _, stage) => {
      expect(secret).toMatch(/^whsec_/)
      expect(await stage.ask('notifications.get', {}, 'person')).toMatchObject({
        webhook: { url, state },
        kinds: {
          approval_waiting: { mail: true, webhook: true },
          run_failed: { mail: true, webhook: false },
        },
      })
      expect(await stage.ask('notifications.get', {}, 'rival')).toMatchObject({ webhook: null })
    },
  }),
  given({
    op: 'notifications.webhook.set',
    title: 'no private address is called',
    as: 'person',
    input: () => ({ url: 'http://127.0.0.1/told' }),
    refusal: 'invalid_input',
  }),
  ...needsPerson('notifications.webhook.set', { url: 'https://example.com/told' }),
  given({
    op: 'notifications.webhook.delete',
    title: 'a webhook is taken away, and what was chosen stays',
    as: 'person',
    async given(stage) {
      await stage.ask('notifications.update', { digest_minutes: 5 }, 'person')
      await stage.ask('notifications.webhook.set', { url: 'https://example.com/told' }, 'person')
    },
    input: () => ({}),
    answer: async (_, __, stage) =>
      expect(await stage.ask('notifications.get', {}, 'person')).toMatchObject({
        webhook: null,
        digest_minutes: 5,
      }),
  }),
  ...needsPerson('notifications.webhook.delete', {}),
  ...pushes,
]
