import { expect } from 'vitest'
import type { ErrorObject } from '#src/core/errors.ts'
import { newToken } from '#src/core/ids.ts'
import { invited } from '#tests/accounts/people/invited.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { solvedChallenge } from '../commons/challenge.ts'
import { given, type Case, type Stage } from '../case.ts'

/** Whom refusals name on the servers that these cases are played on. */
export const contact = 'ops@example.org'

/** What a newcomer sends to each operation that gives an account or a handle, but for the invitation. */
const newcomers: Readonly<Record<string, (stage: Stage) => Promise<object>>> = {
  'agent_claim.create': () => Promise.resolve({ name: 'Ada' }),
  'auth.register': (stage) =>
    Promise.resolve({ email: `${stage.id('ada')}@example.org`, password }),
  'commons.identities.create': async (stage) => {
    const { challenge, counter } = await solvedChallenge(stage)
    return { challenge, counter }
  },
}

/** What no schema of theirs takes. */
const malformed = { name: 7, email: false, challenge: [], nothing: { of: 'the kind' } }

const past = '2020-01-01T00:00:00.000Z'

/** What brings nobody in, and is told apart by nobody. */
const useless: readonly (readonly [title: string, code: (stage: Stage) => Promise<string>])[] = [
  ['an invitation that nobody made', () => Promise.resolve(newToken('inv'))],
  ['what is no invitation at all', () => Promise.resolve('let-me-in-please')],
  [
    'an invitation that was used up',
    (stage) => invited(stage.world.ports, { more: { uses_left: 0 } }),
  ],
  [
    'an invitation that has expired',
    (stage) => invited(stage.world.ports, { more: { expires_at: past } }),
  ],
]

function saysWhomToAsk(error: ErrorObject): void {
  expect(error.hint).toContain(`(${contact})`)
  expect(error.errors).toBeUndefined()
}

const usable = (op: string): Case[] => [
  given({
    op,
    title: 'an invitation admits',
    as: 'nobody',
    async given(stage) {
      return { ...(await newcomers[op]?.(stage)), invitation: await invited(stage.world.ports) }
    },
    input: (facts) => facts,
    async answer(_, { invitation }, stage) {
      // Once, and it says so before anything else is looked at.
      const again = stage.ask(op, { ...malformed, invitation }, 'nobody')
      await expect(again).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
  given({
    op,
    title: 'an invitation for two admits a second one',
    as: 'nobody',
    async given(stage) {
      const invitation = ` ${await invited(stage.world.ports, { uses: 2 })}\n`
      await stage.ask(op, { ...(await newcomers[op]?.(stage)), invitation }, 'nobody')
      return {
        ...(await newcomers[op]?.({ ...stage, id: (name) => stage.id(`${name}2`) })),
        invitation,
      }
    },
    input: (facts) => facts,
    answer: () => undefined,
  }),
  given({
    op,
    title: 'without an invitation nobody comes in',
    as: 'nobody',
    given: async (stage) => newcomers[op]?.(stage),
    input: (facts) => facts,
    refusal: 'sign_up_closed',
    error(error) {
      saysWhomToAsk(error)
      expect(error.detail).toContain('by invitation only')
      expect(error.hint).toContain('"invitation"')
    },
  }),
  given({
    op,
    title: 'who has no invitation is told that before the input is looked at',
    as: 'nobody',
    input: () => malformed,
    refusal: 'sign_up_closed',
    error: saysWhomToAsk,
  }),
  given({
    op,
    title: 'a key of an account is no invitation',
    as: 'owner',
    given: async (stage) => newcomers[op]?.(stage),
    input: (facts) => facts,
    refusal: 'sign_up_closed',
    error: saysWhomToAsk,
  }),
  ...useless.map(([title, code]) =>
    given({
      op,
      title: `${title} admits nobody, whatever else is wrong`,
      as: 'nobody',
      given: async (stage) => ({ ...malformed, invitation: await code(stage) }),
      input: (facts) => facts,
      refusal: 'sign_up_closed',
      error(error) {
        saysWhomToAsk(error)
        // The same to the letter: who guesses learns nothing.
        expect(error.detail).toBe('This invitation is not valid, or no longer valid.')
      },
    }),
  ),
  given({
    op,
    title: 'an input that is not taken uses no invitation up',
    as: 'nobody',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const wrong = { name: 7, email: 'nobody', password: 'x', invitation }
      await stage.ask(op, wrong, 'nobody').then(
        () => expect.unreachable(),
        ({ code }: ErrorObject) => expect(['invalid_input', 'unknown_field']).toContain(code),
      )
      return { ...(await newcomers[op]?.(stage)), invitation }
    },
    input: (facts) => facts,
    answer: () => undefined,
  }),
]

const repeated: Case[] = ['agent_claim.create', 'commons.identities.create'].map((op) =>
  given({
    op,
    title: 'a repeat by its idempotency key gets the same answer for the same invitation',
    as: 'nobody',
    async given(stage) {
      return { ...(await newcomers[op]?.(stage)), invitation: await invited(stage.world.ports) }
    },
    input: (facts) => facts,
    again: true,
    async answer(_, { invitation }, stage) {
      const again = stage.ask(op, { invitation }, 'nobody')
      await expect(again).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
)

const byClaim: Case[] = [
  given({
    op: 'auth.register',
    title: 'the link of a claim admits the person who is to take it over',
    as: 'nobody',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const { claim_url } = await stage.ask('agent_claim.create', { invitation }, 'nobody')
      return { code: claim_url.split('/').at(-1), email: `${stage.id('ada')}@example.org` }
    },
    input: ({ email, code }) => ({ email, password, invitation: code }),
    async answer({ account_id }, { code }, stage) {
      expect(account_id).toMatch(/^acc_/)
      const email = `${stage.id('eve')}@example.org`
      const second = stage.ask('auth.register', { email, password, invitation: code }, 'nobody')
      await expect(second).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
  given({
    op: 'agent_claim.create',
    title: 'the link of a claim makes no further accounts of agents',
    as: 'nobody',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const { claim_url } = await stage.ask('agent_claim.create', { invitation }, 'nobody')
      return claim_url.split('/').at(-1)
    },
    input: (code) => ({ invitation: code }),
    refusal: 'sign_up_closed',
  }),
]

/** Who comes in where an invitation is needed. */
export const invitedNewcomers: readonly Case[] = [
  ...Object.keys(newcomers).flatMap(usable),
  ...repeated,
  ...byClaim,
]

/** Who comes in where nobody does: an invitation, a claim and a mess of an input change nothing. */
export const closedNewcomers: readonly Case[] = Object.keys(newcomers).flatMap((op) =>
  [{ ...malformed, nothing: 'good' }, { invitation: newToken('inv') }].map((input) =>
    given({
      op,
      title: `nobody comes in with ${Object.keys(input).join(', ')}`,
      as: 'nobody',
      input: () => input,
      refusal: 'sign_up_closed',
      error(error) {
        saysWhomToAsk(error)
        expect(error.detail).toMatch(/^This server gives no new (?:accounts|handles)\.$/)
      },
    }),
  ),
)
