import { expect } from 'vitest'
import { authenticator, type Asked, type Brought } from '#tests/accounts/passkeys/authenticator.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { given, type Case, type Stage } from '../case.ts'
import { signedInLongAgo } from './departures.cases.ts'
import { guarded } from './factor.cases.ts'
import { needsPerson } from './people.cases.ts'

const name = 'My telephone'

/** A device in a browser that shows this service. */
export function deviceHere({ world }: Pick<Stage, 'world'>) {
  return authenticator(new URL(world.ports.settings.publicUrl).origin)
}

/** A device that was asked for a passkey. */
async function asked(stage: Stage) {
  const person = await stage.person('person')
  const sent = await stage.ask<Asked>('auth.passkeys.options', {}, 'person')
  return { person, device: deviceHere(stage), sent }
}

/** A person with a passkey. */
async function holding(stage: Stage) {
  const { person, device, sent } = await asked(stage)
  const made = { ...device.made(sent), name }
  return { person, device, passkey: await stage.ask('auth.passkeys.create', made, 'person') }
}

/** The same, whose browser was asked who it is. */
async function entering(stage: Stage) {
  const made = await holding(stage)
  return { ...made, sent: await stage.ask<Asked>('auth.passkey.options', {}, 'anonymous') }
}

/** Ten passkeys. */
async function full(stage: Stage) {
  const { person, device, sent } = await asked(stage)
  const { id: person_id, account_id } = person
  const times = { created_at: '2026-01-01T00:00:00.000Z', backed_up: false }
  const rest = { person_id, account_id, name, public_key: '', counter: 0, transports: [], ...times }
  for (let slot = 0; slot < 10; slot++) {
    const id = stage.id(`psk-${slot}`)
    const made = { ...rest, id, slot, credential_id: id, last_used_at: null }
    await stage.world.ports.store.passkeys.insert(made)
  }
  return { device, sent }
}

/** A person who signs in by a provider alone. */
async function provided(stage: Stage) {
  const made = await asked(stage)
  await stage.world.ports.store.persons.update({ id: made.person.id }, { $set: { password: null } })
  return made
}

const listing: Case[] = [
  ...needsPerson('auth.passkeys.list', {}),
  given({
    op: 'auth.passkeys.list',
    title: 'they are listed without their keys, and exported so too',
    as: 'person',
    given: holding,
    input: () => ({}),
    async answer({ items }, { passkey }, { ask }) {
      expect(items).toEqual([passkey])
      type Exported = { items: { kind: string; document: unknown }[] }
      const all = await ask<Exported>('account.export', {}, 'person')
      expect(all.items.filter(({ kind }) => kind === 'passkey')).toEqual([
        { kind: 'passkey', of: null, document: passkey },
      ])
    },
  }),
  ...needsPerson('auth.passkeys.delete', { passkey_id: 'psk_1' }),
  given({
    op: 'auth.passkeys.delete',
    title: 'it signs in no more, and the password does still',
    as: 'person',
    given: holding,
    input: ({ passkey }) => ({ passkey_id: passkey.id }),
    async answer(answer, { passkey, device, person: { email } }, { ask }) {
      expect(answer).toEqual({ id: passkey.id, deleted: true })
      const sent = await ask<Asked>('auth.passkey.options', {}, 'anonymous')
      const gone = ask('auth.passkey', device.answered(sent), 'anonymous')
      await expect(gone).rejects.toMatchObject({ code: 'login_failed' })
      await ask('auth.login', { email, password }, 'anonymous')
    },
  }),
  given({
    op: 'auth.passkeys.delete',
    title: "another person's is not found",
    as: 'rival',
    given: holding,
    input: ({ passkey }) => ({ passkey_id: passkey.id }),
    refusal: 'passkey_not_found',
  }),
  given({
    op: 'auth.passkeys.delete',
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({ passkey_id: 'psk_1' }),
    refusal: 'confirmation_needed',
  }),
]

const making: Case[] = [
  ...needsPerson('auth.passkeys.options', {}),
  given({
    op: 'auth.passkeys.options',
    title:
      'the device is to keep the passkey, to make sure of its person, and to make no second one',
    as: 'person',
    given: holding,
    input: () => ({}),
    answer: (answer) =>
      expect(answer).toMatchObject({
        options: {
          attestation: 'none',
          excludeCredentials: [{ type: 'public-key' }],
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        },
      }),
  }),
  given({
    op: 'auth.passkeys.options',
    title: 'a session of long ago has to be confirmed first',
    as: 'person',
    given: signedInLongAgo,
    input: () => ({}),
    refusal: 'confirmation_needed',
  }),
  given({
    op: 'auth.passkeys.options',
    title: 'a passkey does not go round the provider by which alone one signs in',
    as: 'person',
    given: provided,
    input: () => ({}),
    refusal: 'passwords_off',
  }),
  given({
    op: 'auth.passkeys.options',
    title: 'there are ten at most',
    as: 'person',
    given: full,
    input: () => ({}),
    refusal: 'passkey_limit_reached',
  }),
  ...needsPerson('auth.passkeys.create', { ticket: 't', answer: '{}', name }),
  given({
    op: 'auth.passkeys.create',
    title: 'what a device has made is kept once, by its public key, and the audit tells of it',
    as: 'person',
    given: asked,
    input: ({ device, sent }) => ({ ...device.made(sent), name }),
    async answer(answer, { device, sent }, stage) {
      expect(answer).toMatchObject({ name, backed_up: false, last_used_at: null })
      const { items } = await stage.ask('account.audit', {}, 'person')
      expect(items.some(({ operation }) => operation === 'auth.passkeys.create')).toBe(true)
      const another = { ...deviceHere(stage).made(sent), name }
      const reused = stage.ask('auth.passkeys.create', another, 'person')
      await expect(reused).rejects.toMatchObject({ code: 'login_failed' })
      const more = await stage.ask<Asked>('auth.passkeys.options', {}, 'person')
      const known = stage.ask('auth.passkeys.create', { ...device.made(more), name }, 'person')
      await expect(known).rejects.toMatchObject({ message: 'This passkey is known already.' })
    },
  }),
  given({
    op: 'auth.passkeys.create',
    title: 'one of a device that has not made sure of its person is refused',
    as: 'person',
    given: asked,
    input: ({ device, sent }) => ({ ...device.made(sent, { isUnverified: true }), name }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.passkeys.create',
    title: 'what another person was asked is nothing to answer',
    as: 'rival',
    given: asked,
    input: ({ device, sent }) => ({ ...device.made(sent), name }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.passkeys.create',
    title: 'a passkey does not go round the provider by which alone one signs in',
    as: 'person',
    given: provided,
    input: ({ device, sent }) => ({ ...device.made(sent), name }),
    refusal: 'passwords_off',
  }),
  given({
    op: 'auth.passkeys.create',
    title: 'there are ten at most, also where they were asked for before',
    as: 'person',
    given: full,
    input: ({ device, sent }) => ({ ...device.made(sent), name }),
    refusal: 'passkey_limit_reached',
  }),
]

/** What signs no one in. */
const forged: [what: string, forge: (facts: Entering, stage: Stage) => Brought][] = [
  [
    'an answer to another question',
    ({ device, sent }) => device.answered(sent, { challenge: 'AA' }),
  ],
  ['an answer by another device', ({ sent }, stage) => deviceHere(stage).answered(sent)],
  [
    'an answer that another site was given',
    ({ device, sent }) => device.answered(sent, { origin: 'https://elsewhere.example' }),
  ],
  [
    'an answer that was made for another site',
    ({ device, sent }) => device.answered(sent, { host: 'elsewhere.example' }),
  ],
  [
    'an answer of a device that has not made sure of its person',
    ({ device, sent }) => device.answered(sent, { isUnverified: true }),
  ],
  ['an answer of another kind', ({ device, sent }) => device.answered(sent, { type: 'payment' })],
  [
    'an answer whose signature was changed',
    ({ device, sent }) => {
      const { ticket, answer } = device.answered(sent)
      const [, signature = ''] = /"signature":"([^"]+)"/.exec(answer) ?? []
      const changed = signature.replace(/.(?=.{8}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
      return { ticket, answer: answer.replace(signature, changed) }
    },
  ],
  [
    'a ticket that was changed',
    ({ device, sent }) => {
      const { ticket, answer } = device.answered(sent)
      return { ticket: `${ticket.slice(0, -4)}AAAA`, answer }
    },
  ],
  ...['', '{}', 'null', '{"id":"x","response":{}}', '[]', 'A'.repeat(20_000)].map(
    (answer): (typeof forged)[number] => [
      `${answer.slice(0, 20) || 'nothing'} as an answer`,
      ({ sent: { ticket } }) => ({ ticket, answer }),
    ],
  ),
]

type Entering = Awaited<ReturnType<typeof entering>>

const signingIn: Case[] = [
  given({
    op: 'auth.passkey.options',
    title: 'anyone is asked for any passkey of this service, and nothing is said of anyone',
    as: 'anonymous',
    input: () => ({}),
    answer(answer) {
      expect(answer).toMatchObject({ options: { userVerification: 'required' } })
      expect(answer).not.toHaveProperty('options.allowCredentials')
    },
  }),
  given({
    op: 'auth.passkey',
    title: 'it signs in without password and code, once for each question, by a count that grows',
    as: 'anonymous',
    async given(stage) {
      await guarded(stage)
      return entering(stage)
    },
    input: ({ device, sent }) => device.answered(sent, { counter: 7 }),
    async answer(answer, { person, device, sent }, { ask }) {
      expect(answer.person).toMatchObject({ id: person.id })
      const reused = ask('auth.passkey', device.answered(sent, { counter: 8 }), 'anonymous')
      await expect(reused).rejects.toMatchObject({ code: 'login_failed' })
      const more = await ask<Asked>('auth.passkey.options', {}, 'anonymous')
      const copied = ask('auth.passkey', device.answered(more, { counter: 7 }), 'anonymous')
      await expect(copied).rejects.toMatchObject({ code: 'login_failed' })
      await ask('auth.passkey', device.answered(more, { counter: 8 }), 'anonymous')
    },
  }),
  given({
    op: 'auth.passkey',
    title: 'a question for a new passkey signs no one in',
    as: 'anonymous',
    async given(stage) {
      const made = await holding(stage)
      return { ...made, sent: await stage.ask<Asked>('auth.passkeys.options', {}, 'person') }
    },
    input: ({ device, sent }) => device.answered(sent),
    refusal: 'login_failed',
  }),
  ...forged.map(([what, forge]) =>
    given({
      op: 'auth.passkey',
      title: `${what} signs no one in`,
      as: 'anonymous',
      given: entering,
      input: forge,
      refusal: 'login_failed',
    }),
  ),
  given({
    op: 'auth.passkey',
    title: 'what is longer than any answer is not looked at',
    as: 'anonymous',
    input: () => ({ ticket: 't', answer: 'A'.repeat(20_001) }),
    refusal: 'invalid_input',
  }),
]

const confirming: Case[] = [
  given({
    op: 'auth.confirm',
    title: 'a passkey shows it too',
    as: 'person',
    async given(stage) {
      const made = await entering(stage)
      await signedInLongAgo(stage)
      return made
    },
    input: ({ device, sent }) => ({ passkey: device.answered(sent) }),
    async answer(answer, { passkey }, { ask }) {
      expect(answer).toEqual({ confirmed_until: expect.stringMatching(/^20.*Z$/) })
      await ask('auth.passkeys.delete', { passkey_id: passkey.id }, 'person')
    },
  }),
  given({
    op: 'auth.confirm',
    title: "another person's passkey shows nothing",
    as: 'rival',
    given: entering,
    input: ({ device, sent }) => ({ passkey: device.answered(sent) }),
    refusal: 'login_failed',
  }),
  given({
    op: 'auth.confirm',
    title: 'it takes a password or a passkey',
    as: 'person',
    input: () => ({}),
    refusal: 'invalid_input',
  }),
]

/** Signing in by a device. */
export const passkeys: readonly Case[] = [...listing, ...making, ...signingIn, ...confirming]
